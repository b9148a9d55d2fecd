"""Documents that people write: read from YAML exactly, judged by a schema, their faults named with their places.

What is common to contracts (runs) and policies (approvals); imports no app.
"""

from console.documents.defaults import filled
from console.documents.document import API_VERSION, Document, load, schema_file
from console.documents.faults import Fault, under
from console.documents.schema import Schema
from console.documents.yaml_text import BadYAML

__all__ = ["API_VERSION", "BadYAML", "Document", "Fault", "Schema", "filled", "load", "schema_file", "under"]
