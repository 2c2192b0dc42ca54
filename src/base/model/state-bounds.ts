/**
 * Bounds of each state that contain all of its land, with a small margin.
 *
 * Degrees of WGS 84: west, south, east, north, rounded outwards to a tenth or more. Alaska's span
 * all longitudes, since its islands are on both sides of 180 degrees. Source: Census, cartographic
 * boundaries of states.
 */
const TABLE = `
  AL -88.6 30.0 -84.8 35.1
  AK -180 51 180 72
  AZ -115.0 31.2 -108.9 37.1
  AR -94.7 32.9 -89.5 36.6
  CA -124.6 32.4 -114.0 42.1
  CO -109.2 36.9 -101.9 41.1
  CT -73.8 40.9 -71.7 42.1
  DE -75.9 38.3 -74.9 39.9
  DC -77.2 38.7 -76.8 39.1
  FL -87.8 24.2 -79.8 31.2
  GA -85.7 30.2 -80.6 35.1
  HI -178.6 18.7 -154.6 28.7
  ID -117.4 41.9 -110.9 49.1
  IL -91.7 36.8 -86.9 42.7
  IN -88.2 37.6 -84.6 41.9
  IA -96.8 40.2 -90.0 43.7
  KS -102.2 36.8 -94.4 40.2
  KY -89.7 36.3 -81.8 39.3
  LA -94.2 28.7 -88.6 33.2
  ME -71.3 42.8 -66.7 47.6
  MD -79.6 37.7 -74.8 39.9
  MA -73.7 41.0 -69.7 43.0
  MI -90.6 41.5 -82.0 48.5
  MN -97.4 43.3 -89.3 49.5
  MS -91.8 29.9 -87.9 35.1
  MO -95.9 35.8 -88.9 40.8
  MT -116.2 44.2 -103.9 49.1
  NE -104.2 39.8 -95.1 43.2
  NV -120.2 34.9 -113.9 42.2
  NH -72.7 42.5 -70.4 45.5
  NJ -75.7 38.7 -73.7 41.5
  NM -109.2 31.2 -102.8 37.2
  NY -79.9 40.3 -71.6 45.2
  NC -84.5 33.6 -75.2 36.8
  ND -104.2 45.8 -96.4 49.1
  OH -85.0 38.2 -80.3 42.5
  OK -103.2 33.5 -94.3 37.2
  OR -124.8 41.8 -116.3 46.5
  PA -80.7 39.5 -74.5 42.5
  RI -72.1 40.9 -70.9 42.2
  SC -83.5 31.8 -78.3 35.4
  SD -104.2 42.3 -96.3 46.1
  TN -90.5 34.8 -81.5 36.8
  TX -106.8 25.6 -93.3 36.7
  UT -114.2 36.8 -108.9 42.2
  VT -73.6 42.6 -71.3 45.2
  VA -83.8 36.4 -75.0 39.6
  WA -125.0 45.4 -116.8 49.1
  WV -82.8 37.0 -77.5 40.8
  WI -93.0 42.3 -86.1 47.5
  WY -111.2 40.8 -103.9 45.2
  AS -171.4 -15 -168.0 -10.8
  GU 144.4 13.1 145.2 13.8
  MP 144.7 13.9 146.4 20.8
  PR -68.2 17.7 -65.0 18.8
  VI -65.3 17.5 -64.4 18.6
`

/** West, south, east and north in degrees, by the two letters of the state. */
export const STATE_BOUNDS: ReadonlyMap<string, readonly [number, number, number, number]> = new Map(
  TABLE.trim()
    .split('\n')
    .map((line) => {
      const [state = '', west, south, east, north] = line.trim().split(/\s+/)
      return [state, [Number(west), Number(south), Number(east), Number(north)]]
    }),
)
