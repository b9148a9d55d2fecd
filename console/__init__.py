"""The ground and the roof: settings, the record, who is asking, and the pages."""
