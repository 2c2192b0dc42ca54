-- Groups of coverage fields: building (year built or area), value (assessed or market), sale (date
-- or price). Bits of `filled`, as in model/coverage.ts.
UPDATE scopes o
SET filled = (o.filled::jsonb || jsonb_build_object(
  'building', c.building, 'value', c.value, 'sale', c.sale))::text
FROM (SELECT state, fips, municipality,
    count(*) FILTER (WHERE filled & 24576 <> 0) AS building,
    count(*) FILTER (WHERE filled & 768 <> 0) AS value,
    count(*) FILTER (WHERE filled & 6144 <> 0) AS sale
  FROM parcels GROUP BY state, fips, municipality) c
WHERE o.state = c.state AND o.fips = c.fips AND o.municipality = c.municipality;
