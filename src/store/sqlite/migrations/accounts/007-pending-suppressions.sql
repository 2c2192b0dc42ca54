-- Suppressions that what is stored does not follow yet: answers are filtered by them meanwhile, see
-- privacy/guard-parcels.ts.
CREATE TABLE suppression_pending (
  id TEXT PRIMARY KEY
) STRICT;
