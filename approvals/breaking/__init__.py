"""Breaking the glass: released over the heads of the approvers, for a while, in front of everybody, and reviewed afterwards."""
