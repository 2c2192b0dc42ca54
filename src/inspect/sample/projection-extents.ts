/**
 * Where the projections of US rolls apply: state (`--`: several), south, west, north and east in
 * degrees, and the name. Source: areas of use of the EPSG Geodetic Parameter Dataset, by way of the
 * package epsg-index 2.0.0; one code for all realizations of NAD83. Written by
 * `scripts/write-projections.ts`.
 */
export const PROJECTION_EXTENTS = `
2205 KY 37.71 -85.96 39.15 -82.47 Kentucky North
2222 AZ 31.33 -111.71 37.01 -109.04 Arizona East (ft)
2223 AZ 31.33 -113.35 37.01 -110.44 Arizona Central (ft)
2224 AZ 32.05 -114.81 37 -112.52 Arizona West (ft)
2225 CA 39.59 -124.45 42.01 -119.99 California zone 1 (ftUS)
2226 CA 38.02 -124.06 40.16 -119.54 California zone 2 (ftUS)
2227 CA 36.73 -123.02 38.71 -117.83 California zone 3 (ftUS)
2228 CA 35.78 -122.01 37.58 -115.62 California zone 4 (ftUS)
2229 CA 32.76 -121.42 35.81 -114.12 California zone 5 (ftUS)
2230 CA 32.53 -118.15 34.08 -114.42 California zone 6 (ftUS)
2231 CO 39.56 -109.06 41.01 -102.04 Colorado North (ftUS)
2232 CO 38.14 -109.06 40.09 -102.04 Colorado Central (ftUS)
2233 CO 36.98 -109.06 38.68 -102.04 Colorado South (ftUS)
2234 CT 40.98 -73.73 42.05 -71.78 Connecticut (ftUS)
2235 DE 38.44 -75.8 39.85 -74.97 Delaware (ftUS)
2236 FL 24.41 -82.33 30.83 -79.97 Florida East (ftUS)
2237 FL 26.27 -83.34 29.6 -81.13 Florida West (ftUS)
2238 FL 29.21 -87.63 31.01 -82.04 Florida North (ftUS)
2239 GA 30.36 -83.47 34.68 -80.77 Georgia East (ftUS)
2240 GA 30.62 -85.61 35.01 -82.99 Georgia West (ftUS)
2241 ID 41.99 -113.24 44.75 -111.04 Idaho East (ftUS)
2242 ID 41.99 -115.3 45.7 -112.67 Idaho Central (ftUS)
2243 ID 41.99 -117.24 49.01 -114.32 Idaho West (ftUS)
2246 KY 37.71 -85.96 39.15 -82.47 Kentucky North (ftUS)
2247 KY 36.49 -89.57 38.17 -81.95 Kentucky South (ftUS)
2248 MD 37.97 -79.49 39.73 -74.97 Maryland (ftUS)
2249 MA 41.46 -73.5 42.89 -69.86 Massachusetts Mainland (ftUS)
2250 MA 41.19 -70.91 41.51 -69.89 Massachusetts Island (ftUS)
2251 MI 45.08 -90.42 48.32 -83.44 Michigan North (ft)
2252 MI 43.8 -87.06 45.92 -82.27 Michigan Central (ft)
2253 MI 41.69 -87.2 44.22 -82.13 Michigan South (ft)
2254 MS 30.01 -89.97 35.01 -88.09 Mississippi East (ftUS)
2255 MS 31 -91.65 35.01 -89.37 Mississippi West (ftUS)
2256 MT 44.35 -116.07 49.01 -104.04 Montana (ft)
2257 NM 32 -105.72 37 -102.99 New Mexico East (ftUS)
2258 NM 31.78 -107.73 37 -104.84 New Mexico Central (ftUS)
2259 NM 31.33 -109.06 37 -106.32 New Mexico West (ftUS)
2260 NY 40.88 -75.87 45.02 -73.23 New York East (ftUS)
2261 NY 41.99 -77.75 44.41 -75.06 New York Central (ftUS)
2262 NY 41.99 -79.77 43.64 -77.36 New York West (ftUS)
2263 NY 40.47 -74.26 41.3 -71.8 New York Long Island (ftUS)
2264 NC 33.83 -84.33 36.59 -75.38 North Carolina (ftUS)
2265 ND 47.15 -104.07 49.01 -96.83 North Dakota North (ft)
2266 ND 45.93 -104.05 47.83 -96.55 North Dakota South (ft)
2267 OK 35.27 -103 37.01 -94.42 Oklahoma North (ftUS)
2268 OK 33.62 -100 35.57 -94.42 Oklahoma South (ftUS)
2269 OR 43.95 -124.17 46.26 -116.47 Oregon North (ft)
2270 OR 41.98 -124.6 44.56 -116.9 Oregon South (ft)
2271 PA 40.6 -80.53 42.53 -74.7 Pennsylvania North (ftUS)
2272 PA 39.71 -80.53 41.18 -74.72 Pennsylvania South (ftUS)
2273 SC 32.05 -83.36 35.21 -78.52 South Carolina (ft)
2274 TN 34.98 -90.31 36.68 -81.65 Tennessee (ftUS)
2275 TX 34.3 -103.03 36.5 -99.99 Texas North (ftUS)
2276 TX 31.72 -103.07 34.58 -94 Texas North Central (ftUS)
2277 TX 29.78 -106.66 32.27 -93.5 Texas Central (ftUS)
2278 TX 27.78 -105 30.67 -93.76 Texas South Central (ftUS)
2279 TX 25.83 -100.2 28.21 -96.85 Texas South (ftUS)
2280 UT 40.55 -114.04 42.01 -109.04 Utah North (ft)
2281 UT 38.49 -114.05 41.08 -109.04 Utah Central (ft)
2282 UT 36.99 -114.05 38.58 -109.04 Utah South (ft)
2283 VA 37.77 -80.06 39.46 -76.51 Virginia North (ftUS)
2284 VA 36.54 -83.68 38.28 -75.31 Virginia South (ftUS)
2285 WA 47.08 -124.79 49.05 -117.02 Washington North (ftUS)
2286 WA 45.54 -124.4 47.61 -116.91 Washington South (ftUS)
2287 WI 45.37 -92.89 47.31 -88.05 Wisconsin North (ftUS)
2288 WI 43.98 -92.89 45.8 -86.25 Wisconsin Central (ftUS)
2289 WI 42.48 -91.43 44.33 -86.95 Wisconsin South (ftUS)
2965 IN 37.95 -86.59 41.77 -84.78 Indiana East (ftUS)
2966 IN 37.77 -88.06 41.77 -86.24 Indiana West (ftUS)
2991 OR 41.98 -124.6 46.26 -116.47 Oregon LCC (m)
3070 WI 42.48 -92.89 47.31 -86.25 Wisconsin Transverse Mercator
3072 ME 44.18 -68.58 47.37 -66.91 Maine CS2000 East
3074 ME 43.07 -71.09 46.58 -69.6 Maine CS2000 West
3078 MI 41.69 -90.42 48.32 -82.13 Michigan Oblique Mercator
3081 TX 25.83 -106.66 36.5 -93.5 Texas State Mapping System
3082 TX 25.83 -106.66 36.5 -93.5 Texas Centric Lambert Conformal
3088 KY 36.49 -89.57 39.15 -81.95 Kentucky Single Zone
3089 KY 36.49 -89.57 39.15 -81.95 Kentucky Single Zone (ftUS)
3417 IA 41.85 -96.65 43.51 -90.15 Iowa North (ftUS)
3418 IA 40.37 -96.14 42.04 -90.14 Iowa South (ftUS)
3419 KS 38.52 -102.06 40.01 -94.58 Kansas North (ftUS)
3420 KS 36.99 -102.05 38.88 -94.6 Kansas South (ftUS)
3421 NV 34.99 -117.01 42 -114.03 Nevada East (ftUS)
3422 NV 36 -118.19 41 -114.99 Nevada Central (ftUS)
3423 NV 36.95 -120 42 -116.99 Nevada West (ftUS)
3433 AR 34.67 -94.62 36.5 -89.64 Arkansas North (ftUS)
3434 AR 33.01 -94.48 35.1 -90.4 Arkansas South (ftUS)
3435 IL 37.06 -89.28 42.5 -87.02 Illinois East (ftUS)
3436 IL 36.98 -91.52 42.51 -88.93 Illinois West (ftUS)
3437 NH 42.69 -72.56 45.31 -70.63 New Hampshire (ftUS)
3438 RI 41.13 -71.85 42.02 -71.08 Rhode Island (ftUS)
3451 LA 30.85 -94.05 33.03 -90.86 Louisiana North (ftUS)
3452 LA 28.85 -93.94 31.07 -88.75 Louisiana South (ftUS)
3455 SD 42.48 -104.06 44.79 -96.43 South Dakota South (ftUS)
3463 ME 43.75 -70.03 47.47 -68.33 Maine CS2000 Central
3560 UT 40.55 -114.04 42.01 -109.04 Utah North (ftUS)
3566 UT 38.49 -114.05 41.08 -109.04 Utah Central (ftUS)
3567 UT 36.99 -114.05 38.58 -109.04 Utah South (ftUS)
3734 OH 40.1 -84.81 42.33 -80.51 Ohio North (ftUS)
3735 OH 38.4 -84.83 40.36 -80.7 Ohio South (ftUS)
3736 WY 40.99 -106.33 45.01 -104.05 Wyoming East (ftUS)
3737 WY 40.99 -108.63 45.01 -106 Wyoming East Central (ftUS)
3738 WY 40.99 -111.06 45.01 -107.5 Wyoming West Central (ftUS)
3739 WY 40.99 -111.06 44.67 -109.04 Wyoming West (ftUS)
3759 HI 21.2 -158.33 21.75 -157.61 Hawaii zone 3 (ftUS)
3814 MS 30.01 -91.65 35.01 -88.09 Mississippi TM
3968 VA 36.54 -83.68 39.46 -75.31 Virginia Lambert
4457 SD 44.14 -104.07 45.95 -96.45 South Dakota North (ftUS)
5646 VT 42.72 -73.44 45.03 -71.5 Vermont (ftUS)
6786 OR 44.6 -118.15 45.19 -117.37 Oregon Baker zone (m)
6787 OR 44.6 -118.15 45.19 -117.37 Oregon Baker zone (ft)
6790 OR 41.88 -122.45 43.89 -120.77 Oregon Bend-Klamath Falls zone (m)
6791 OR 41.88 -122.45 43.89 -120.77 Oregon Bend-Klamath Falls zone (ft)
6794 OR 43.76 -121.88 44.98 -119.79 Oregon Bend-Redmond-Prineville zone (m)
6795 OR 43.76 -121.88 44.98 -119.79 Oregon Bend-Redmond-Prineville zone (ft)
6798 OR 43.34 -120.95 44.28 -118.8 Oregon Bend-Burns zone (m)
6799 OR 43.34 -120.95 44.28 -118.8 Oregon Bend-Burns zone (ft)
6802 OR 42.49 -123.83 43.24 -122.43 Oregon Canyonville-Grants Pass zone (m)
6803 OR 42.49 -123.83 43.24 -122.43 Oregon Canyonville-Grants Pass zone (ft)
6806 OR 45.49 -122.05 46.08 -118.89 Oregon Columbia River East zone (m)
6807 OR 45.49 -122.05 46.08 -118.89 Oregon Columbia River East zone (ft)
6810 OR 45.17 -124.33 46.56 -121.47 Oregon Columbia River West zone (m)
6811 OR 45.17 -124.33 46.56 -121.47 Oregon Columbia River West zone (ft)
6814 OR 42.82 -123.96 43.88 -122.4 Oregon Cottage Grove-Canyonville zone (m)
6815 OR 42.82 -123.96 43.88 -122.4 Oregon Cottage Grove-Canyonville zone (ft)
6818 OR 44.63 -121.95 45.55 -120.46 Oregon Dufur-Madras zone (m)
6819 OR 44.63 -121.95 45.55 -120.46 Oregon Dufur-Madras zone (ft)
6822 OR 43.74 -123.8 44.71 -122.18 Oregon Eugene zone (m)
6823 OR 43.74 -123.8 44.71 -122.18 Oregon Eugene zone (ft)
6826 OR 41.88 -123.95 42.85 -122.37 Oregon Grants Pass-Ashland zone (m)
6827 OR 41.88 -123.95 42.85 -122.37 Oregon Grants Pass-Ashland zone (ft)
6830 OR 45.02 -122.43 45.55 -121.68 Oregon Gresham-Warm Springs zone (m)
6831 OR 45.02 -122.43 45.55 -121.68 Oregon Gresham-Warm Springs zone (ft)
6834 OR 45.13 -118.17 45.8 -117.14 Oregon La Grande zone (m)
6835 OR 45.13 -118.17 45.8 -117.14 Oregon La Grande zone (ft)
6838 OR 43.41 -117.9 44.65 -116.7 Oregon Ontario zone (m)
6839 OR 43.41 -117.9 44.65 -116.7 Oregon Ontario zone (ft)
6842 OR 41.89 -124.84 46.4 -123.35 Oregon Coast zone (m)
6843 OR 41.89 -124.84 46.4 -123.35 Oregon Coast zone (ft)
6846 OR 45.46 -119.36 46.02 -118.17 Oregon Pendleton zone (m)
6847 OR 45.46 -119.36 46.02 -118.17 Oregon Pendleton zone (ft)
6850 OR 45.13 -118.64 45.64 -118.09 Oregon Pendleton-La Grande zone (m)
6851 OR 45.13 -118.64 45.64 -118.09 Oregon Pendleton-La Grande zone (ft)
6854 OR 45.23 -123.53 46.01 -122.11 Oregon Portland zone (m)
6855 OR 45.23 -123.53 46.01 -122.11 Oregon Portland zone (ft)
6858 OR 44.32 -123.73 45.3 -121.89 Oregon Salem zone (m)
6859 OR 44.32 -123.73 45.3 -121.89 Oregon Salem zone (ft)
6862 OR 44.1 -122.51 44.66 -121.69 Oregon Santiam Pass zone (m)
6863 OR 44.1 -122.51 44.66 -121.69 Oregon Santiam Pass zone (ft)
6922 KS 36.99 -102.06 40.01 -94.58 Kansas LCC
6923 KS 36.99 -102.06 40.01 -94.58 Kansas LCC (ftUS)
7057 IA 42.9 -96.6 43.51 -93.97 IaRCS zone 1
7058 IA 42.9 -93.98 43.51 -91.6 IaRCS zone 2
7059 IA 42.29 -91.62 43.51 -90.89 IaRCS zone 3
7060 IA 42.2 -96.65 42.92 -93 IaRCS zone 4
7061 IA 42.2 -93.03 43.09 -91.59 IaRCS zone 5
7062 IA 40.58 -96.37 42.22 -95.04 IaRCS zone 6
7063 IA 41.15 -95.16 42.22 -94.16 IaRCS zone 7
7064 IA 41.15 -94.29 42.22 -93.23 IaRCS zone 8
7065 IA 41.16 -93.35 42.3 -92.29 IaRCS zone 9
7066 IA 41.42 -92.31 42.3 -90.89 IaRCS zone 10
7067 IA 41.44 -91.14 42.68 -90.14 IaRCS zone 11
7068 IA 40.57 -95.39 41.17 -92.17 IaRCS zone 12
7069 IA 40.59 -92.42 41.52 -91.48 IaRCS zone 13
7070 IA 40.37 -91.72 41.6 -90.78 IaRCS zone 14
7109 MT 48.55 -113.97 49.01 -113 RMTCRS St Mary (m)
7110 MT 48 -113.84 49.01 -112 RMTCRS Blackfeet (m)
7111 MT 47.78 -112.5 49.01 -108.74 RMTCRS Milk River (m)
7112 MT 47.78 -110.84 49.01 -106.99 RMTCRS Fort Belknap (m)
7113 MT 48.01 -107.57 48.88 -104.78 RMTCRS Fort Peck Assiniboine (m)
7114 MT 47.75 -107.76 49.01 -104.04 RMTCRS Fort Peck Sioux (m)
7115 MT 44.99 -108.84 46.09 -106.66 RMTCRS Crow (m)
7116 MT 45.36 -112.34 46.59 -110.75 RMTCRS Bobcat (m)
7117 MT 44.99 -109.42 47.41 -107.99 RMTCRS Billings (m)
7118 WY 42.69 -109.5 43.86 -107.94 RMTCRS Wind River (m)
7119 MT 48.55 -113.97 49.01 -113 RMTCRS St Mary (ft)
7120 MT 48 -113.84 49.01 -112 RMTCRS Blackfeet (ft)
7121 MT 47.78 -112.5 49.01 -108.74 RMTCRS Milk River (ft)
7122 MT 47.78 -110.84 49.01 -106.99 RMTCRS Fort Belknap (ft)
7123 MT 48.01 -107.57 48.88 -104.78 RMTCRS Fort Peck Assiniboine (ft)
7124 MT 47.75 -107.76 49.01 -104.04 RMTCRS Fort Peck Sioux (ft)
7125 MT 44.99 -108.84 46.09 -106.66 RMTCRS Crow (ft)
7126 MT 45.36 -112.34 46.59 -110.75 RMTCRS Bobcat (ft)
7127 MT 44.99 -109.42 47.41 -107.99 RMTCRS Billings (ft)
7128 WY 42.69 -109.5 43.86 -107.94 RMTCRS Wind River (ftUS)
7131 CA 36.85 -123.56 38.87 -121.2 San Francisco CS13
7132 CA 36.85 -123.56 38.87 -121.2 San Francisco CS13 (ftUS)
7257 IN 40.56 -85.08 40.93 -84.8 InGCS Adams (m)
7258 IN 40.56 -85.08 40.93 -84.8 InGCS Adams (ftUS)
7259 IN 40.91 -85.34 41.28 -84.8 InGCS Allen (m)
7260 IN 40.91 -85.34 41.28 -84.8 InGCS Allen (ftUS)
7261 IN 39.03 -86.09 39.36 -85.68 InGCS Bartholomew (m)
7262 IN 39.03 -86.09 39.36 -85.68 InGCS Bartholomew (ftUS)
7263 IN 40.47 -87.53 40.74 -87.09 InGCS Benton (m)
7264 IN 40.47 -87.53 40.74 -87.09 InGCS Benton (ftUS)
7265 IN 40.07 -85.58 40.57 -85.2 InGCS Blackford-Delaware (m)
7266 IN 40.07 -85.58 40.57 -85.2 InGCS Blackford-Delaware (ftUS)
7267 IN 39.6 -86.7 40.19 -86.24 InGCS Boone-Hendricks (m)
7268 IN 39.6 -86.7 40.19 -86.24 InGCS Boone-Hendricks (ftUS)
7269 IN 39.04 -86.39 39.35 -86.07 InGCS Brown (m)
7270 IN 39.04 -86.39 39.35 -86.07 InGCS Brown (ftUS)
7271 IN 40.43 -86.78 40.74 -86.37 InGCS Carroll (m)
7272 IN 40.43 -86.78 40.74 -86.37 InGCS Carroll (ftUS)
7273 IN 40.56 -86.59 40.92 -86.16 InGCS Cass (m)
7274 IN 40.56 -86.59 40.92 -86.16 InGCS Cass (ftUS)
7275 IN 38.17 -86.04 38.84 -85.41 InGCS Clark-Floyd-Scott (m)
7276 IN 38.17 -86.04 38.84 -85.41 InGCS Clark-Floyd-Scott (ftUS)
7277 IN 39.16 -87.25 39.61 -86.93 InGCS Clay (m)
7278 IN 39.16 -87.25 39.61 -86.93 InGCS Clay (ftUS)
7279 IN 40.17 -86.7 40.44 -86.24 InGCS Clinton (m)
7280 IN 40.17 -86.7 40.44 -86.24 InGCS Clinton (ftUS)
7281 IN 38.1 -86.69 39 -86.24 InGCS Crawford-Lawrence-Orange (m)
7282 IN 38.1 -86.69 39 -86.24 InGCS Crawford-Lawrence-Orange (ftUS)
7283 IN 38.49 -87.28 39.18 -86.68 InGCS Daviess-Greene (m)
7284 IN 38.49 -87.28 39.18 -86.68 InGCS Daviess-Greene (ftUS)
7285 IN 38.68 -85.21 39.31 -84.78 InGCS Dearborn-Ohio-Switzerland (m)
7286 IN 38.68 -85.21 39.31 -84.78 InGCS Dearborn-Ohio-Switzerland (ftUS)
7287 IN 39.13 -85.69 39.79 -85.29 InGCS Decatur-Rush (m)
7288 IN 39.13 -85.69 39.79 -85.29 InGCS Decatur-Rush (ftUS)
7289 IN 41.26 -85.2 41.54 -84.8 InGCS DeKalb (m)
7290 IN 41.26 -85.2 41.54 -84.8 InGCS DeKalb (ftUS)
7291 IN 38.2 -87.08 38.91 -86.67 InGCS Dubois-Martin (m)
7292 IN 38.2 -87.08 38.91 -86.67 InGCS Dubois-Martin (ftUS)
7293 IN 40.65 -86.08 41.77 -85.63 InGCS Elkhart-Kosciusko-Wabash (m)
7294 IN 40.65 -86.08 41.77 -85.63 InGCS Elkhart-Kosciusko-Wabash (ftUS)
7295 IN 39.26 -85.31 39.79 -84.81 InGCS Fayette-Franklin-Union (m)
7296 IN 39.26 -85.31 39.79 -84.81 InGCS Fayette-Franklin-Union (ftUS)
7297 IN 39.95 -87.54 40.48 -87.09 InGCS Fountain-Warren (m)
7298 IN 39.95 -87.54 40.48 -87.09 InGCS Fountain-Warren (ftUS)
7299 IN 40.9 -86.53 41.77 -85.94 InGCS Fulton-Marshall-St. Joseph (m)
7300 IN 40.9 -86.53 41.77 -85.94 InGCS Fulton-Marshall-St. Joseph (ftUS)
7301 IN 38.16 -87.98 38.54 -87.31 InGCS Gibson (m)
7302 IN 38.16 -87.98 38.54 -87.31 InGCS Gibson (ftUS)
7303 IN 40.37 -85.87 40.66 -85.44 InGCS Grant (m)
7304 IN 40.37 -85.87 40.66 -85.44 InGCS Grant (ftUS)
7305 IN 39.92 -86.25 40.41 -85.86 InGCS Hamilton-Tipton (m)
7306 IN 39.92 -86.25 40.41 -85.86 InGCS Hamilton-Tipton (ftUS)
7307 IN 39.69 -85.96 40.38 -85.57 InGCS Hancock-Madison (m)
7308 IN 39.69 -85.96 40.38 -85.57 InGCS Hancock-Madison (ftUS)
7309 IN 37.95 -86.33 38.79 -85.84 InGCS Harrison-Washington (m)
7310 IN 37.95 -86.33 38.79 -85.84 InGCS Harrison-Washington (ftUS)
7311 IN 39.78 -85.6 40.08 -85.2 InGCS Henry (m)
7312 IN 39.78 -85.6 40.08 -85.2 InGCS Henry (ftUS)
7313 IN 40.37 -86.38 41 -85.86 InGCS Howard-Miami (m)
7314 IN 40.37 -86.38 41 -85.86 InGCS Howard-Miami (ftUS)
7315 IN 40.65 -85.69 41.3 -85.3 InGCS Huntington-Whitley (m)
7316 IN 40.65 -85.69 41.3 -85.3 InGCS Huntington-Whitley (ftUS)
7317 IN 38.72 -86.32 39.08 -85.79 InGCS Jackson (m)
7318 IN 38.72 -86.32 39.08 -85.79 InGCS Jackson (ftUS)
7319 IN 40.73 -87.28 41.77 -86.92 InGCS Jasper-Porter (m)
7320 IN 40.73 -87.28 41.77 -86.92 InGCS Jasper-Porter (ftUS)
7321 IN 40.3 -85.22 40.58 -84.8 InGCS Jay (m)
7322 IN 40.3 -85.22 40.58 -84.8 InGCS Jay (ftUS)
7323 IN 38.58 -85.69 38.92 -85.2 InGCS Jefferson (m)
7324 IN 38.58 -85.69 38.92 -85.2 InGCS Jefferson (ftUS)
7325 IN 38.8 -85.8 39.2 -85.43 InGCS Jennings (m)
7326 IN 38.8 -85.8 39.2 -85.43 InGCS Jennings (ftUS)
7327 IN 39.34 -86.33 39.93 -85.93 InGCS Johnson-Marion (m)
7328 IN 39.34 -86.33 39.93 -85.93 InGCS Johnson-Marion (ftUS)
7329 IN 38.41 -87.75 38.91 -87.09 InGCS Knox (m)
7330 IN 38.41 -87.75 38.91 -87.09 InGCS Knox (ftUS)
7331 IN 41.26 -85.66 41.77 -85.19 InGCS LaGrange-Noble (m)
7332 IN 41.26 -85.66 41.77 -85.19 InGCS LaGrange-Noble (ftUS)
7333 IN 40.73 -87.53 41.77 -87.21 InGCS Lake-Newton (m)
7334 IN 40.73 -87.53 41.77 -87.21 InGCS Lake-Newton (ftUS)
7335 IN 40.9 -86.94 41.77 -86.46 InGCS LaPorte-Pulaski-Starke (m)
7336 IN 40.9 -86.94 41.77 -86.46 InGCS LaPorte-Pulaski-Starke (ftUS)
7337 IN 38.99 -86.69 39.64 -86.24 InGCS Monroe-Morgan (m)
7338 IN 38.99 -86.69 39.64 -86.24 InGCS Monroe-Morgan (ftUS)
7339 IN 39.47 -87.1 40.22 -86.64 InGCS Montgomery-Putnam (m)
7340 IN 39.47 -87.1 40.22 -86.64 InGCS Montgomery-Putnam (ftUS)
7341 IN 39.16 -87.06 39.48 -86.63 InGCS Owen (m)
7342 IN 39.16 -87.06 39.48 -86.63 InGCS Owen (ftUS)
7343 IN 39.6 -87.54 40.15 -87 InGCS Parke-Vermillion (m)
7344 IN 39.6 -87.54 40.15 -87 InGCS Parke-Vermillion (ftUS)
7345 IN 37.84 -86.82 38.27 -86.43 InGCS Perry (m)
7346 IN 37.84 -86.82 38.27 -86.43 InGCS Perry (ftUS)
7347 IN 37.87 -87.48 38.56 -87.01 InGCS Pike-Warrick (m)
7348 IN 37.87 -87.48 38.56 -87.01 InGCS Pike-Warrick (ftUS)
7349 IN 37.77 -88.06 38.24 -87.68 InGCS Posey (m)
7350 IN 37.77 -88.06 38.24 -87.68 InGCS Posey (ftUS)
7351 IN 39.71 -85.23 40.32 -84.8 InGCS Randolph-Wayne (m)
7352 IN 39.71 -85.23 40.32 -84.8 InGCS Randolph-Wayne (ftUS)
7353 IN 38.91 -85.45 39.32 -85.06 InGCS Ripley (m)
7354 IN 38.91 -85.45 39.32 -85.06 InGCS Ripley (ftUS)
7355 IN 39.34 -85.96 39.7 -85.62 InGCS Shelby (m)
7356 IN 39.34 -85.96 39.7 -85.62 InGCS Shelby (ftUS)
7357 IN 37.78 -87.27 38.21 -86.76 InGCS Spencer (m)
7358 IN 37.78 -87.27 38.21 -86.76 InGCS Spencer (ftUS)
7359 IN 41.52 -85.2 41.77 -84.8 InGCS Steuben (m)
7360 IN 41.52 -85.2 41.77 -84.8 InGCS Steuben (ftUS)
7361 IN 38.9 -87.65 39.26 -87.24 InGCS Sullivan (m)
7362 IN 38.9 -87.65 39.26 -87.24 InGCS Sullivan (ftUS)
7363 IN 40.21 -87.1 40.92 -86.58 InGCS Tippecanoe-White (m)
7364 IN 40.21 -87.1 40.92 -86.58 InGCS Tippecanoe-White (ftUS)
7365 IN 37.82 -87.71 38.17 -87.44 InGCS Vanderburgh (m)
7366 IN 37.82 -87.71 38.17 -87.44 InGCS Vanderburgh (ftUS)
7367 IN 39.25 -87.62 39.61 -87.19 InGCS Vigo (m)
7368 IN 39.25 -87.62 39.61 -87.19 InGCS Vigo (ftUS)
7369 IN 40.56 -85.45 40.92 -85.06 InGCS Wells (m)
7370 IN 40.56 -85.45 40.92 -85.06 InGCS Wells (ftUS)
7528 WI 43.64 -90.32 44.25 -89.59 WISCRS Adams and Juneau (m)
7529 WI 45.98 -90.93 47.09 -90.3 WISCRS Ashland (m)
7530 WI 45.2 -92.16 45.65 -91.53 WISCRS Barron (m)
7531 WI 46.15 -91.56 47.01 -90.75 WISCRS Bayfield (m)
7532 WI 44.24 -88.26 44.68 -87.76 WISCRS Brown (m)
7533 WI 44.02 -92.09 44.6 -91.52 WISCRS Buffalo (m)
7534 WI 45.63 -92.89 46.16 -92.03 WISCRS Burnett (m)
7535 WI 43.54 -88.89 44.6 -88.04 WISCRS Calumet, Fond du Lac, Outagamie and Winnebago (m)
7536 WI 44.85 -91.67 45.3 -90.92 WISCRS Chippewa (m)
7537 WI 44.42 -90.93 45.04 -90.31 WISCRS Clark (m)
7538 WI 43.28 -89.79 43.65 -89 WISCRS Columbia (m)
7539 WI 42.98 -91.22 43.43 -90.66 WISCRS Crawford (m)
7540 WI 42.84 -89.84 43.3 -89 WISCRS Dane (m)
7541 WI 42.84 -89.02 43.64 -88.4 WISCRS Dodge and Jefferson (m)
7542 WI 44.67 -87.74 45.43 -86.8 WISCRS Door (m)
7543 WI 46.15 -92.3 46.76 -91.55 WISCRS Douglas (m)
7544 WI 44.68 -92.16 45.21 -91.64 WISCRS Dunn (m)
7545 WI 44.59 -91.66 44.86 -90.92 WISCRS Eau Claire (m)
7546 WI 45.71 -88.69 46.03 -88.05 WISCRS Florence (m)
7547 WI 45.37 -89.05 46.08 -88.42 WISCRS Forest (m)
7548 WI 42.5 -91.16 43.22 -90.42 WISCRS Grant (m)
7549 WI 42.5 -90.43 42.86 -89.36 WISCRS Green and Lafayette (m)
7550 WI 43.63 -89.6 43.99 -88.88 WISCRS Green Lake and Marquette (m)
7551 WI 42.81 -90.43 43.21 -89.83 WISCRS Iowa (m)
7552 WI 45.98 -90.56 46.6 -89.92 WISCRS Iron (m)
7553 WI 44.07 -91.17 44.6 -90.31 WISCRS Jackson (m)
7554 WI 42.49 -88.31 43.55 -87.75 WISCRS Kenosha, Milwaukee, Ozaukee and Racine (m)
7555 WI 43.54 -88.17 44.68 -87.37 WISCRS Kewaunee, Manitowoc and Sheboygan (m)
7556 WI 43.72 -91.43 44.1 -90.91 WISCRS La Crosse (m)
7557 WI 45.02 -89.43 45.48 -88.63 WISCRS Langlade (m)
7558 WI 45.11 -90.05 45.56 -89.42 WISCRS Lincoln (m)
7559 WI 44.68 -90.32 45.13 -89.22 WISCRS Marathon (m)
7560 WI 44.96 -88.43 45.8 -87.48 WISCRS Marinette (m)
7561 WI 44.85 -88.99 45.12 -88.48 WISCRS Menominee (m)
7562 WI 43.72 -90.98 44.17 -90.31 WISCRS Monroe (m)
7563 WI 44.67 -88.69 45.38 -87.76 WISCRS Oconto (m)
7564 WI 45.46 -90.05 45.91 -89.04 WISCRS Oneida (m)
7565 WI 44.4 -92.81 44.87 -91.65 WISCRS Pepin and Pierce (m)
7566 WI 45.2 -92.89 45.73 -92.15 WISCRS Polk (m)
7567 WI 44.24 -89.85 44.69 -89.22 WISCRS Portage (m)
7568 WI 45.37 -90.68 45.99 -90.04 WISCRS Price (m)
7569 WI 43.16 -90.68 43.56 -90.19 WISCRS Richland (m)
7570 WI 42.49 -89.37 42.85 -88.77 WISCRS Rock (m)
7571 WI 45.29 -91.55 45.64 -90.67 WISCRS Rusk (m)
7572 WI 43.14 -90.32 43.65 -89.59 WISCRS Sauk (m)
7573 WI 45.63 -91.56 46.16 -90.67 WISCRS Sawyer (m)
7574 WI 44.58 -89.23 45.03 -88.24 WISCRS Shawano (m)
7575 WI 44.85 -92.81 45.22 -92.13 WISCRS St. Croix (m)
7576 WI 45.03 -90.93 45.39 -90.04 WISCRS Taylor (m)
7577 WI 43.98 -91.62 44.6 -91.15 WISCRS Trempealeau (m)
7578 WI 43.42 -91.28 43.74 -90.31 WISCRS Vernon (m)
7579 WI 45.85 -90.05 46.3 -88.93 WISCRS Vilas (m)
7580 WI 42.49 -88.78 42.85 -88.3 WISCRS Walworth (m)
7581 WI 45.63 -92.06 46.16 -91.54 WISCRS Washburn (m)
7582 WI 43.19 -88.42 43.55 -88.03 WISCRS Washington (m)
7583 WI 42.84 -88.55 43.2 -88.06 WISCRS Waukesha (m)
7584 WI 44.24 -89.23 44.69 -88.6 WISCRS Waupaca (m)
7585 WI 43.98 -89.6 44.25 -88.88 WISCRS Waushara (m)
7586 WI 44.24 -90.32 44.69 -89.72 WISCRS Wood (m)
7587 WI 43.64 -90.32 44.25 -89.59 WISCRS Adams and Juneau (ftUS)
7588 WI 45.98 -90.93 47.09 -90.3 WISCRS Ashland (ftUS)
7589 WI 45.2 -92.16 45.65 -91.53 WISCRS Barron (ftUS)
7590 WI 46.15 -91.56 47.01 -90.75 WISCRS Bayfield (ftUS)
7591 WI 44.24 -88.26 44.68 -87.76 WISCRS Brown (ftUS)
7592 WI 44.02 -92.09 44.6 -91.52 WISCRS Buffalo (ftUS)
7593 WI 45.63 -92.89 46.16 -92.03 WISCRS Burnett (ftUS)
7594 WI 43.54 -88.89 44.6 -88.04 WISCRS Calumet, Fond du Lac, Outagamie and Winnebago (ftUS)
7595 WI 44.85 -91.67 45.3 -90.92 WISCRS Chippewa (ftUS)
7596 WI 44.42 -90.93 45.04 -90.31 WISCRS Clark (ftUS)
7597 WI 43.28 -89.79 43.65 -89 WISCRS Columbia (ftUS)
7598 WI 42.98 -91.22 43.43 -90.66 WISCRS Crawford (ftUS)
7599 WI 42.84 -89.84 43.3 -89 WISCRS Dane (ftUS)
7600 WI 42.84 -89.02 43.64 -88.4 WISCRS Dodge and Jefferson (ftUS)
7601 WI 44.67 -87.74 45.43 -86.8 WISCRS Door (ftUS)
7602 WI 46.15 -92.3 46.76 -91.55 WISCRS Douglas (ftUS)
7603 WI 44.68 -92.16 45.21 -91.64 WISCRS Dunn (ftUS)
7604 WI 44.59 -91.66 44.86 -90.92 WISCRS Eau Claire (ftUS)
7605 WI 45.71 -88.69 46.03 -88.05 WISCRS Florence (ftUS)
7606 WI 45.37 -89.05 46.08 -88.42 WISCRS Forest (ftUS)
7607 WI 42.5 -91.16 43.22 -90.42 WISCRS Grant (ftUS)
7608 WI 42.5 -90.43 42.86 -89.36 WISCRS Green and Lafayette (ftUS)
7609 WI 43.63 -89.6 43.99 -88.88 WISCRS Green Lake and Marquette (ftUS)
7610 WI 42.81 -90.43 43.21 -89.83 WISCRS Iowa (ftUS)
7611 WI 45.98 -90.56 46.6 -89.92 WISCRS Iron (ftUS)
7612 WI 44.07 -91.17 44.6 -90.31 WISCRS Jackson (ftUS)
7613 WI 42.49 -88.31 43.55 -87.75 WISCRS Kenosha, Milwaukee, Ozaukee and Racine (ftUS)
7614 WI 43.54 -88.17 44.68 -87.37 WISCRS Kewaunee, Manitowoc and Sheboygan (ftUS)
7615 WI 43.72 -91.43 44.1 -90.91 WISCRS La Crosse (ftUS)
7616 WI 45.02 -89.43 45.48 -88.63 WISCRS Langlade (ftUS)
7617 WI 45.11 -90.05 45.56 -89.42 WISCRS Lincoln (ftUS)
7618 WI 44.68 -90.32 45.13 -89.22 WISCRS Marathon (ftUS)
7619 WI 44.96 -88.43 45.8 -87.48 WISCRS Marinette (ftUS)
7620 WI 44.85 -88.99 45.12 -88.48 WISCRS Menominee (ftUS)
7621 WI 43.72 -90.98 44.17 -90.31 WISCRS Monroe (ftUS)
7622 WI 44.67 -88.69 45.38 -87.76 WISCRS Oconto (ftUS)
7623 WI 45.46 -90.05 45.91 -89.04 WISCRS Oneida (ftUS)
7624 WI 44.4 -92.81 44.87 -91.65 WISCRS Pepin and Pierce (ftUS)
7625 WI 45.2 -92.89 45.73 -92.15 WISCRS Polk (ftUS)
7626 WI 44.24 -89.85 44.69 -89.22 WISCRS Portage (ftUS)
7627 WI 45.37 -90.68 45.99 -90.04 WISCRS Price (ftUS)
7628 WI 43.16 -90.68 43.56 -90.19 WISCRS Richland (ftUS)
7629 WI 42.49 -89.37 42.85 -88.77 WISCRS Rock (ftUS)
7630 WI 45.29 -91.55 45.64 -90.67 WISCRS Rusk (ftUS)
7631 WI 43.14 -90.32 43.65 -89.59 WISCRS Sauk (ftUS)
7632 WI 45.63 -91.56 46.16 -90.67 WISCRS Sawyer (ftUS)
7633 WI 44.58 -89.23 45.03 -88.24 WISCRS Shawano (ftUS)
7634 WI 44.85 -92.81 45.22 -92.13 WISCRS St. Croix (ftUS)
7635 WI 45.03 -90.93 45.39 -90.04 WISCRS Taylor (ftUS)
7636 WI 43.98 -91.62 44.6 -91.15 WISCRS Trempealeau (ftUS)
7637 WI 43.42 -91.28 43.74 -90.31 WISCRS Vernon (ftUS)
7638 WI 45.85 -90.05 46.3 -88.93 WISCRS Vilas (ftUS)
7639 WI 42.49 -88.78 42.85 -88.3 WISCRS Walworth (ftUS)
7640 WI 45.63 -92.06 46.16 -91.54 WISCRS Washburn (ftUS)
7641 WI 43.19 -88.42 43.55 -88.03 WISCRS Washington (ftUS)
7642 WI 42.84 -88.55 43.2 -88.06 WISCRS Waukesha (ftUS)
7643 WI 44.24 -89.23 44.69 -88.6 WISCRS Waupaca (ftUS)
7644 WI 43.98 -89.6 44.25 -88.88 WISCRS Waushara (ftUS)
7645 WI 44.24 -90.32 44.69 -89.72 WISCRS Wood (ftUS)
8065 AZ 31.43 -111.57 32.52 -110.44 PCCS zone 1 (ft)
8066 AZ 31.5 -112.52 32.51 -111.56 PCCS zone 2 (ft)
8067 AZ 31.8 -113.33 32.51 -112.51 PCCS zone 3 (ft)
8068 AZ 32.33 -110.87 32.49 -110.61 PCCS zone 4 (ft)
8311 OR 43.49 -118.61 44.19 -117.49 Oregon Burns-Harper zone (m)
8312 OR 43.49 -118.61 44.19 -117.49 Oregon Burns-Harper zone (ft)
8313 OR 43.52 -119.22 44.36 -118.52 Oregon Canyon City-Burns zone (m)
8314 OR 43.52 -119.22 44.36 -118.52 Oregon Canyon City-Burns zone (ft)
8315 OR 45.4 -123.81 45.98 -123.01 Oregon Coast Range North zone (m)
8316 OR 45.4 -123.81 45.98 -123.01 Oregon Coast Range North zone (ft)
8317 OR 44.24 -119.89 44.94 -118.61 Oregon Dayville-Prairie City zone (m)
8318 OR 44.24 -119.89 44.94 -118.61 Oregon Dayville-Prairie City zone (ft)
8319 OR 41.88 -119.41 43.54 -117.67 Oregon Denio-Burns zone (m)
8320 OR 41.88 -119.41 43.54 -117.67 Oregon Denio-Burns zone (ft)
8321 OR 44.61 -117.61 45.28 -116.63 Oregon Halfway zone (m)
8322 OR 44.61 -117.61 45.28 -116.63 Oregon Halfway zone (ft)
8323 OR 42.53 -122.73 43.34 -121.71 Oregon Medford-Diamond Lake zone (m)
8324 OR 42.53 -122.73 43.34 -121.71 Oregon Medford-Diamond Lake zone (ft)
8325 OR 44.38 -120.56 44.78 -119.82 Oregon Mitchell zone (m)
8326 OR 44.38 -120.56 44.78 -119.82 Oregon Mitchell zone (ft)
8327 OR 44.89 -121.79 45.95 -119.03 Oregon North Central zone (m)
8328 OR 44.89 -121.79 45.95 -119.03 Oregon North Central zone (ft)
8329 OR 44.21 -121.01 44.61 -120.31 Oregon Ochoco Summit zone (m)
8330 OR 44.21 -121.01 44.61 -120.31 Oregon Ochoco Summit zone (ft)
8331 OR 41.88 -118.14 43.54 -116.85 Oregon Owyhee zone (m)
8332 OR 41.88 -118.14 43.54 -116.85 Oregon Owyhee zone (ft)
8333 OR 44.99 -119.65 46.04 -118.11 Oregon Pilot Rock-Ukiah zone (m)
8334 OR 44.99 -119.65 46.04 -118.11 Oregon Pilot Rock-Ukiah zone (ft)
8335 OR 44.16 -118.77 45.02 -117.48 Oregon Prairie City-Brogan zone (m)
8336 OR 44.16 -118.77 45.02 -117.48 Oregon Prairie City-Brogan zone (ft)
8337 OR 41.88 -120.97 43.45 -119.15 Oregon Riley-Lakeview zone (m)
8338 OR 41.88 -120.97 43.45 -119.15 Oregon Riley-Lakeview zone (ft)
8339 OR 41.95 -122.71 42.46 -121.96 Oregon Siskiyou Pass zone (m)
8340 OR 41.95 -122.71 42.46 -121.96 Oregon Siskiyou Pass zone (ft)
8341 OR 44.52 -119.35 45.21 -118.64 Oregon Ukiah-Fox zone (m)
8342 OR 44.52 -119.35 45.21 -118.64 Oregon Ukiah-Fox zone (ft)
8343 OR 45.27 -118.16 46.05 -116.42 Oregon Wallowa zone (m)
8344 OR 45.27 -118.16 46.05 -116.42 Oregon Wallowa zone (ft)
8345 OR 41.95 -120.42 42.43 -119.3 Oregon Warner Highway zone (m)
8346 OR 41.95 -120.42 42.43 -119.3 Oregon Warner Highway zone (ft)
8347 OR 42.99 -122.26 44.18 -121.48 Oregon Willamette Pass zone (m)
8348 OR 42.99 -122.26 44.18 -121.48 Oregon Willamette Pass zone (ft)
8379 NV 35.88 -115.5 36.43 -114.71 NCRS Las Vegas (m)
8380 NV 35.88 -115.5 36.43 -114.71 NCRS Las Vegas (ftUS)
8381 NV 35.88 -115.5 36.43 -114.71 NCRS Las Vegas high (m)
8382 NV 35.88 -115.5 36.43 -114.71 NCRS Las Vegas high (ftUS)
8518 KS 38.69 -102.06 40.01 -101.38 KS RCS zone 1
8519 KS 38.69 -101.49 40.01 -100.71 KS RCS zone 2
8520 KS 38.69 -100.82 40.01 -100.14 KS RCS zone 3
8521 KS 38.69 -100.19 40.01 -99.03 KS RCS zone 4
8522 KS 38.26 -99.07 40.01 -98.47 KS RCS zone 5
8523 KS 38.15 -98.51 40.01 -97.92 KS RCS zone 6
8524 KS 38.08 -97.94 40.01 -96.8 KS RCS zone 7
8525 KS 38.73 -96.97 39.57 -95.94 KS RCS zone 8
8526 KS 38.08 -96.94 38.88 -95.94 KS RCS zone 9
8527 KS 39.21 -96.81 40.01 -94.85 KS RCS zone 10
8528 KS 38.73 -96.04 39.43 -94.58 KS RCS zone 11
8529 KS 36.99 -102.05 38.71 -101.06 KS RCS zone 12
8531 KS 36.99 -101.13 38.71 -100.08 KS RCS zone 13
8533 KS 36.99 -100.25 38.7 -99.54 KS RCS zone 14
8534 KS 36.99 -99.59 38.7 -98.91 KS RCS zone 15
8535 KS 36.99 -99.03 38.27 -98.34 KS RCS zone 16
8536 KS 37.38 -98.48 38.18 -96.52 KS RCS zone 17
8538 KS 36.99 -98.35 37.48 -96.52 KS RCS zone 18
8539 KS 36.99 -96.53 38.88 -95.5 KS RCS zone 19
8540 KS 36.99 -95.53 38.74 -94.6 KS RCS zone 20
8826 ID 41.99 -117.24 49.01 -111.04 Idaho Transverse Mercator
9748 AL 30.99 -86.79 35 -84.89 Alabama East (ftUS)
9749 AL 30.14 -88.48 35.02 -86.3 Alabama West (ftUS)
26847 ME 43.88 -70.03 47.47 -66.91 Maine East (ftUS)
26848 ME 43.04 -71.09 46.58 -69.26 Maine West (ftUS)
26849 MN 46.64 -97.22 49.38 -89.49 Minnesota North (ftUS)
26850 MN 45.28 -96.86 47.48 -92.29 Minnesota Central (ftUS)
26851 MN 43.49 -96.85 45.59 -91.21 Minnesota South (ftUS)
26852 NE 39.99 -104.06 43.01 -95.3 Nebraska (ftUS)
26853 WV 38.76 -81.76 40.64 -77.72 West Virginia North (ftUS)
26854 WV 37.2 -82.65 39.17 -79.05 West Virginia South (ftUS)
26903 -- 49.52 -168 74.29 -161.99 UTM zone 3N
26904 -- 15.57 -162 74.71 -155.99 UTM zone 4N
26905 -- 15.56 -156 74.71 -149.99 UTM zone 5N
26906 -- 54.05 -150 74.13 -143.99 UTM zone 6N
26907 AK 52.05 -144 73.59 -137.99 UTM zone 7N
26908 AK 48.06 -138 79.42 -132 UTM zone 8N
26909 AK 35.38 -132 80.93 -126 UTM zone 9N
26910 -- 30.54 -126 81.8 -119.99 UTM zone 10N
26911 -- 30.88 -120 83.5 -114 UTM zone 11N
26912 -- 31.33 -114 84 -108 UTM zone 12N
26913 -- 28.98 -108 84 -102 UTM zone 13N
26914 -- 25.83 -102 84 -96 UTM zone 14N
26915 -- 25.61 -96 84 -90 UTM zone 15N
26916 -- 23.97 -90 84 -84 UTM zone 16N
26917 -- 23.81 -84 84 -78 UTM zone 17N
26918 -- 28.28 -78 84 -72 UTM zone 18N
26919 -- 14.92 -72 84 -66 UTM zone 19N
26929 AL 30.99 -86.79 35 -84.89 Alabama East
26930 AL 30.14 -88.48 35.02 -86.3 Alabama West
26931 AK 54.61 -141 60.35 -129.99 Alaska zone 1
26932 AK 59.72 -144.01 70.16 -140.98 Alaska zone 2
26933 AK 59.72 -148 70.38 -144 Alaska zone 3
26934 AK 59.11 -152.01 70.63 -147.99 Alaska zone 4
26935 AK 55.72 -156 71.28 -151.86 Alaska zone 5
26936 AK 54.89 -160 71.4 -155.99 Alaska zone 6
26937 AK 54.32 -164.01 70.74 -160 Alaska zone 7
26938 AK 54.34 -168.26 69.05 -164 Alaska zone 8
26939 AK 56.49 -173.16 65.82 -168 Alaska zone 9
26941 CA 39.59 -124.45 42.01 -119.99 California zone 1
26942 CA 38.02 -124.06 40.16 -119.54 California zone 2
26943 CA 36.73 -123.02 38.71 -117.83 California zone 3
26944 CA 35.78 -122.01 37.58 -115.62 California zone 4
26945 CA 32.76 -121.42 35.81 -114.12 California zone 5
26946 CA 32.53 -118.15 34.08 -114.42 California zone 6
26948 AZ 31.33 -111.71 37.01 -109.04 Arizona East
26949 AZ 31.33 -113.35 37.01 -110.44 Arizona Central
26950 AZ 32.05 -114.81 37 -112.52 Arizona West
26951 AR 34.67 -94.62 36.5 -89.64 Arkansas North
26952 AR 33.01 -94.48 35.1 -90.4 Arkansas South
26953 CO 39.56 -109.06 41.01 -102.04 Colorado North
26954 CO 38.14 -109.06 40.09 -102.04 Colorado Central
26955 CO 36.98 -109.06 38.68 -102.04 Colorado South
26956 CT 40.98 -73.73 42.05 -71.78 Connecticut
26957 DE 38.44 -75.8 39.85 -74.97 Delaware
26958 FL 24.41 -82.33 30.83 -79.97 Florida East
26959 FL 26.27 -83.34 29.6 -81.13 Florida West
26960 FL 29.21 -87.63 31.01 -82.04 Florida North
26961 HI 18.87 -156.1 20.33 -154.74 Hawaii zone 1
26962 HI 20.45 -157.36 21.26 -155.93 Hawaii zone 2
26963 HI 21.2 -158.33 21.75 -157.61 Hawaii zone 3
26964 HI 21.81 -159.85 22.29 -159.23 Hawaii zone 4
26965 HI 21.73 -160.3 22.07 -159.99 Hawaii zone 5
26966 GA 30.36 -83.47 34.68 -80.77 Georgia East
26967 GA 30.62 -85.61 35.01 -82.99 Georgia West
26968 ID 41.99 -113.24 44.75 -111.04 Idaho East
26969 ID 41.99 -115.3 45.7 -112.67 Idaho Central
26970 ID 41.99 -117.24 49.01 -114.32 Idaho West
26971 IL 37.06 -89.28 42.5 -87.02 Illinois East
26972 IL 36.98 -91.52 42.51 -88.93 Illinois West
26973 IN 37.95 -86.59 41.77 -84.78 Indiana East
26974 IN 37.77 -88.06 41.77 -86.24 Indiana West
26975 IA 41.85 -96.65 43.51 -90.15 Iowa North
26976 IA 40.37 -96.14 42.04 -90.14 Iowa South
26977 KS 38.52 -102.06 40.01 -94.58 Kansas North
26978 KS 36.99 -102.05 38.88 -94.6 Kansas South
26980 KY 36.49 -89.57 38.17 -81.95 Kentucky South
26981 LA 30.85 -94.05 33.03 -90.86 Louisiana North
26982 LA 28.85 -93.94 31.07 -88.75 Louisiana South
26983 ME 43.88 -70.03 47.47 -66.91 Maine East
26984 ME 43.04 -71.09 46.58 -69.26 Maine West
26985 MD 37.97 -79.49 39.73 -74.97 Maryland
26986 MA 41.46 -73.5 42.89 -69.86 Massachusetts Mainland
26987 MA 41.19 -70.91 41.51 -69.89 Massachusetts Island
26988 MI 45.08 -90.42 48.32 -83.44 Michigan North
26989 MI 43.8 -87.06 45.92 -82.27 Michigan Central
26990 MI 41.69 -87.2 44.22 -82.13 Michigan South
26991 MN 46.64 -97.22 49.38 -89.49 Minnesota North
26992 MN 45.28 -96.86 47.48 -92.29 Minnesota Central
26993 MN 43.49 -96.85 45.59 -91.21 Minnesota South
26994 MS 30.01 -89.97 35.01 -88.09 Mississippi East
26995 MS 31 -91.65 35.01 -89.37 Mississippi West
26996 MO 35.98 -91.97 40.61 -89.1 Missouri East
26997 MO 36.48 -93.79 40.61 -91.41 Missouri Central
26998 MO 36.48 -95.77 40.59 -93.48 Missouri West
32100 MT 44.35 -116.07 49.01 -104.04 Montana
32104 NE 39.99 -104.06 43.01 -95.3 Nebraska
32107 NV 34.99 -117.01 42 -114.03 Nevada East
32108 NV 36 -118.19 41 -114.99 Nevada Central
32109 NV 36.95 -120 42 -116.99 Nevada West
32110 NH 42.69 -72.56 45.31 -70.63 New Hampshire
32111 NJ 38.87 -75.6 41.36 -73.88 New Jersey
32112 NM 32 -105.72 37 -102.99 New Mexico East
32113 NM 31.78 -107.73 37 -104.84 New Mexico Central
32114 NM 31.33 -109.06 37 -106.32 New Mexico West
32116 NY 41.99 -77.75 44.41 -75.06 New York Central
32117 NY 41.99 -79.77 43.64 -77.36 New York West
32118 NY 40.47 -74.26 41.3 -71.8 New York Long Island
32119 NC 33.83 -84.33 36.59 -75.38 North Carolina
32120 ND 47.15 -104.07 49.01 -96.83 North Dakota North
32121 ND 45.93 -104.05 47.83 -96.55 North Dakota South
32122 OH 40.1 -84.81 42.33 -80.51 Ohio North
32123 OH 38.4 -84.83 40.36 -80.7 Ohio South
32124 OK 35.27 -103 37.01 -94.42 Oklahoma North
32125 OK 33.62 -100 35.57 -94.42 Oklahoma South
32126 OR 43.95 -124.17 46.26 -116.47 Oregon North
32127 OR 41.98 -124.6 44.56 -116.9 Oregon South
32128 PA 40.6 -80.53 42.53 -74.7 Pennsylvania North
32129 PA 39.71 -80.53 41.18 -74.72 Pennsylvania South
32130 RI 41.13 -71.85 42.02 -71.08 Rhode Island
32133 SC 32.05 -83.36 35.21 -78.52 South Carolina
32134 SD 44.14 -104.07 45.95 -96.45 South Dakota North
32135 SD 42.48 -104.06 44.79 -96.43 South Dakota South
32136 TN 34.98 -90.31 36.68 -81.65 Tennessee
32137 TX 34.3 -103.03 36.5 -99.99 Texas North
32138 TX 31.72 -103.07 34.58 -94 Texas North Central
32139 TX 29.78 -106.66 32.27 -93.5 Texas Central
32140 TX 27.78 -105 30.67 -93.76 Texas South Central
32141 TX 25.83 -100.2 28.21 -96.85 Texas South
32142 UT 40.55 -114.04 42.01 -109.04 Utah North
32143 UT 38.49 -114.05 41.08 -109.04 Utah Central
32144 UT 36.99 -114.05 38.58 -109.04 Utah South
32145 VT 42.72 -73.44 45.03 -71.5 Vermont
32146 VA 37.77 -80.06 39.46 -76.51 Virginia North
32147 VA 36.54 -83.68 38.28 -75.31 Virginia South
32148 WA 47.08 -124.79 49.05 -117.02 Washington North
32149 WA 45.54 -124.4 47.61 -116.91 Washington South
32150 WV 38.76 -81.76 40.64 -77.72 West Virginia North
32151 WV 37.2 -82.65 39.17 -79.05 West Virginia South
32152 WI 45.37 -92.89 47.31 -88.05 Wisconsin North
32153 WI 43.98 -92.89 45.8 -86.25 Wisconsin Central
32154 WI 42.48 -91.43 44.33 -86.95 Wisconsin South
32155 WY 40.99 -106.33 45.01 -104.05 Wyoming East
32156 WY 40.99 -108.63 45.01 -106 Wyoming East Central
32157 WY 40.99 -111.06 45.01 -107.5 Wyoming West Central
32158 WY 40.99 -111.06 44.67 -109.04 Wyoming West
32159 WY 40.99 -111.06 45.01 -104.05 Wyoming Lambert
32161 PR 14.92 -68.49 21.86 -63.88 Puerto Rico & Virgin Is.
`
