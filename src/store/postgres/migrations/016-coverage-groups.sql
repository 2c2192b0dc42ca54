-- Groups of coverage fields: building (year built or area), value (assessed or market), sale (date
-- or price). Bits of `filled`, as in model/coverage.ts.
-- Citus refuses jsonb_build_object here, because it is stable and not immutable.
UPDATE scopes o
SET filled = (o.filled::jsonb || ('{"building":' || c.building::text ||
  ',"value":' || c.value::text || ',"sale":' || c.sale::text || '}')::jsonb)::text
FROM (SELECT state, fips, municipality,
    count(*) FILTER (WHERE filled & 24576 <> 0) AS building,
    count(*) FILTER (WHERE filled & 768 <> 0) AS value,
    count(*) FILTER (WHERE filled & 6144 <> 0) AS sale
  FROM parcels GROUP BY state, fips, municipality) c
WHERE o.state = c.state AND o.fips = c.fips AND o.municipality = c.municipality;
