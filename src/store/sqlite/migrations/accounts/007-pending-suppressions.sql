-- Suppressions that the stored parcels do not follow yet. Answers are filtered by them, see
-- privacy/guard-parcels.ts.
CREATE TABLE suppression_pending (
  id TEXT PRIMARY KEY
) STRICT;
