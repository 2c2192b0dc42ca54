-- Groups of coverage fields: building (year built or area), value (assessed or market), sale (date
-- or price). Bits of `filled`, as in model/coverage.ts.
UPDATE scopes SET filled = (SELECT json_set(scopes.filled,
    '$.building', coalesce(sum((p.filled & 24576) <> 0), 0),
    '$.value', coalesce(sum((p.filled & 768) <> 0), 0),
    '$.sale', coalesce(sum((p.filled & 6144) <> 0), 0))
  FROM parcels p WHERE p.fips = scopes.fips AND p.municipality = scopes.municipality);
