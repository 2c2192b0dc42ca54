/**
 * Column names of each field, and the kind of values they hold. Meanings are those of `lexicon.ts`,
 * in any order. The number is the certainty of the name alone, in percent.
 *
 * `+`: several columns may form one field. `*`: not a field of the record but a part from which
 * `compose/` makes one.
 */
export const FIELD_NAMES = `
parcelId | id | parcel id=100, parcel number=100, parcel id number=100, parcel=80, parcel key=70,
  parcel account=60, parcel parcel id=95, map parcel id=76, map parcel=74, parcel code=75,
  site id=70, site number=50, tax parcel id=95, tax parcel=85, tax id=68, account=50,
  account number=55, tax map=60, tax map parcel=76, map lot block=60, key=40, key number=45, id=40,
  state parcel id=72, site account=45, map=45, lot block=45, parcel id full=95,
  parcel id primary=95, account id=66, site id number=72
alternateParcelIds+ | alternate | state id=76, alternate parcel id number=95,
  alternate parcel id=95, alternate parcel=80, alternate id=80, parcel id=80, parcel number=75,
  map parcel id=82, map parcel=75, site id=66, account number=60, tax map=66, map=45, map id=60,
  key=55, state parcel id=85, parcel=60, alternate site id=80, site number=55, map number=60,
  parcel key=70, alternate key=70, parcel id description=70
taxAccountNumber | alternate | account number=92, account=88, tax account=95, tax account number=96,
  account id=90, site account=70, account key=80, account id number=92
ownerName1 | owner | name line=78, owner name=100, owner=96, owner full name=98, taxpayer name=84,
  taxpayer=78, name=76, owner primary=92, deed owner=88, owner name full=98, site owner=80,
  mail name=62, current owner=95, legal owner=85, owner line=85, mail owner=60, mail owner name=66,
  owner mail name=64, assessed owner=70, owner owner=80
ownerName2 | owner2 | name line #2=80, owner name #2=100, owner #2=97, name #2=76, second owner=92,
  taxpayer #2=70, taxpayer name #2=75, owner line #2=80, owner second=90, owner name second=92,
  deed owner #2=85, second name=62, owner full name #2=95, mail name #2=50
ownerFirst* | namePart | owner first name=98, owner first=95, first name=80, first=60,
  owner name first=97
ownerLast* | namePart | last=60, owner last name=98, owner last=95, last name=80, owner name last=97
ownerMiddle* | namePart | owner middle name=95, owner middle=92, middle name=75, middle=60,
  owner name middle=95
ownerCareOf | careOf | careof=95, mail careof=97, owner careof=97, careof name=90,
  taxpayer careof=90, careof taxpayer=90, mail careof name=95
ownerAddressLine1 | address | mail address=100, owner address=97, mail street=92, mail line=92,
  owner street=88, taxpayer address=88, owner mail address=100, mail address line=98,
  mail street address=98, address #1=62, mail=68, mail #1=86, owner mail=60, mail address street=97,
  owner address line=96, owner mail street=90, owner street address=96, site owner address=80,
  mail full street=90, mail line 1=92
mailLine2* | line | mail #2=86, owner mail #2=80, mail address #2=98, owner address #2=96,
  mail line #2=95, mail address line #2=97, address #2=62, owner mail address #2=97,
  mail street #2=85, taxpayer address #2=85, address line #2=50, owner address line #2=95,
  owner mail line #2=80
mailLine3* | line | mail #3=86, owner mail #3=80, mail address #3=98, owner address #3=96,
  mail line #3=95, mail address line #3=97, address #3=62, owner mail address #3=97,
  taxpayer address #3=85, owner address line #3=95
mailHouse* | house | mail house=92, mail house number=95, mail address number=92, mail number=80,
  mail street number=92, owner house number=85, owner street number=85, mail street house=85,
  owner house=80
mailDirection* | direction | mail direction=92, mail prefix direction=92, mail street direction=92,
  mail prefix=80, mail street prefix=85
mailStreet* | streetName | mail street name=95, mail street=75, owner street name=85
mailStreetType* | streetType | mail street kind=95, mail suffix=85, mail street suffix=92,
  mail kind=60
mailUnit* | unit | mail unit=92, mail unit number=95, owner unit=80
ownerCity | city | mail city=100, owner city=98, taxpayer city=90, owner mail city=100,
  mail address city=97, mail city name=97, mail address city name=95, owner address city=95,
  owner city name=95
ownerState | state | mail state=100, owner state=98, taxpayer state=90, owner mail state=100,
  mail address state=97, owner address state=95, mail state code=92, state=50
ownerZipCode | zip | mail zip=100, owner zip=98, taxpayer zip=90, owner mail zip=100,
  mail address zip=97, mail zip code=97, owner address zip=95, owner zip code=95, zip=45
ownerZipCodePlusFour | four | mail zip four=98, mail four=80, owner zip four=96, owner four=80
ownerCountry | country | mail country=98, owner country=97, mail address country=95,
  owner mail country=97, country=60, owner address country=95
ownerCityStateZip | cityStateZip | mail city state=98, mail city state zip=100,
  owner city state zip=100, owner city state=97, city state zip=78, owner mail city state zip=98,
  mail address city state zip=97, mail city zip=80, city state=70
address | address | site address=100, address=88, site street address=98, street address=92,
  address full=86, full address=86, site address full=98, site=76, parcel address=95,
  house address=80, address line=75, site address line=95, site full address=98, address street=80,
  site address street=90, full street address=88, site street=70, building address=70,
  address site full=97, address #1=55, site primary address=92, street address full=88,
  site location=80
cityStateZip | cityStateZip | city state zip=86, site city state zip=98, site city state=92,
  site address city state zip=94, address city state zip=80, site city zip=85
streetNumber | house | house=92, house number=98, street number=98, site house=97,
  site house number=98, address number=96, site address number=97, site street number=97,
  site number=75, number=45, street house=85, site house low=90, house number low=92, house low=90,
  address house=85, address house number=90
streetNumberHigh | house | house high=95, house number high=96, street number high=96,
  site house high=95, address number high=95, site house number high=95
streetFraction* | unit | house fraction=90, address fraction=88, street fraction=85,
  house number suffix=85, fraction=60, site house fraction=90, address number suffix=85,
  street number suffix=85, site fraction=80
streetDirectionPrefix | direction | prefix direction=98, direction=86, street direction=94,
  site direction=94, street prefix=85, site prefix direction=98, prefix=76,
  site street direction=96, street prefix direction=98, address prefix direction=96,
  address direction=92, site prefix=85, site street prefix=88, site street prefix direction=97,
  street direction prefix=97
streetName | streetName | site name=66, address street=90, street name=98, street=86,
  site street=92, site street name=98, address street name=96, full street=74, address street=84,
  site address street=84, street name full=80, site street name full=80, site address street name=96
streetType | streetType | street kind=98, street suffix=95, site street kind=98, suffix=80,
  site street suffix=96, site suffix=88, address street kind=96, address suffix=85,
  address street suffix=92, site kind=60, street suffix kind=92, street name suffix=90
streetDirectionSuffix | direction | suffix direction=96, postdirection=96,
  street suffix direction=97, site suffix direction=97, site postdirection=97,
  street postdirection=96, street direction suffix=97, address suffix direction=95,
  direction suffix=95
unitNumberStripped | unit | unit=92, unit number=98, site unit=97, site unit number=98,
  address unit=94, site address unit=96, address unit number=96, condo unit=76, unit id=90,
  site unit id=92, street unit=85, condo unit number=76, street unit number=88
unitType | description | unit kind=95, site unit kind=97, address unit kind=95
city | city | site city=100, city=88, site city name=98, city name=90, site address city=97,
  address city=92, parcel city=92, building city=60, site address city name=95
zipCode | zip | site zip=100, zip=86, site address zip=97, address zip=92, zip code=90,
  site zip code=98, parcel zip=92
zipCodePlusFour | four | site zip four=97, zip four=84, four=50
siteState* | state | state code=66, site state=92, state=66, address state=80, site address state=90
county* | county | county=88, county name=98, fips=84, county fips=94, site county=85,
  county code=82, state county fips=92, county number=75, parcel fips=80, fips code=84,
  state fips=30
jurisdiction | municipality | jurisdiction=92, tax city=84, jurisdiction name=95,
  jurisdiction code=85, city code=60, site jurisdiction=85, tax jurisdiction=92, municipality=92,
  municipality name=96, municipality description=94, site municipality=92,
  site municipality name=94, tax municipality=90, municipality code=80, township municipality=95,
  parcel municipality=90, county municipality=85
latitude | latitude | latitude=100, site latitude=98, y=70, coordinate latitude=98, coordinate y=70,
  parcel latitude=98, address latitude=95
longitude | longitude | longitude=100, site longitude=98, x=70, coordinate longitude=98,
  coordinate x=70, parcel longitude=98, address longitude=95
x* | planar | x=96, coordinate x=98, x coordinate=98, site x=90, state coordinate x=96, parcel x=90,
  state x=80
y* | planar | y=96, coordinate y=98, y coordinate=98, site y=90, state coordinate y=96, parcel y=90,
  state y=80
siteCensusTract | tract | tract=96, site tract=92, tract code=92, tract number=92, tract tract=96,
  tract block=80
neighborhood | code | neighborhood=96, neighborhood code=97, neighborhood name=92,
  neighborhood number=92, neighborhood id=90, neighborhood description=85, site neighborhood=90,
  market area=75
useCode | useCode | state code=68, use code=98, use=90, class=80, class code=90, state use=92,
  site use code=97, site class=86, land use code=98, land use=93, site kind=64, state use code=98,
  site use=92, tax class=66, site class code=90, land class=66, parcel use code=95, parcel use=92,
  site kind code=70, parcel class=84, assessed class=66, state class code=85, state class=80,
  land code=55, parcel kind=50, use class=80, use number=80, county use code=90, use kind=80,
  primary use code=95, primary use=85, state land use code=98, state land use=95, site code=66,
  tax use=85, tax use code=90, land use group=85, site quality=30
useDescription | useDescription | use description=98, class description=90, land use description=98,
  class code description=92, site use description=97, use code description=98,
  site kind description=75, use=86, class=70, kind=70, land use=88, state use=86, use name=85,
  parcel use description=97, class name=75, site class description=90, site kind=62,
  state use description=97, site use=85, primary use=85, state class description=84,
  description use=95, site class=74, land use name=88, parcel class=70,
  state land use description=97, tax class description=66, site description=68, specific use kind=85, specific use=85,
  tax use description=92, site kind name=70, specific use description=88
useCodeLocal | useCode | subdivision class=80, site subdivision class=86, local use code=95,
  local use=90, building class=82, building code=72, local class=80, county use code=86,
  local land use=90, alternate class=70, second class=60, class=56, use code #2=72,
  building use code=80, building use=78, county land use code=86, building kind code=60,
  count use code=80
zoningCode | code | zoning=96, zoning code=98, zoning #1=96, zoning district=94, site zoning=92,
  current zoning=92, zoning class=90, zoning kind=85, zoning number=80, land zoning=85
zoningDescription | description | zoning description=96, zoning name=85
buildingCount | count | improvement count=92, site count=70, building count=96, number building=92,
  number buildings=92, count building=96, total building=70, building number=66
unitCount | count | units=88, residence units=86, units residence=86, total units=95,
  number units=95, units count=95, living units=94, building units=88, number unit=72,
  units number=90, unit count=98, residential units=90, number living units=95, count units=90,
  total living units=95, total unit=72, unit quantity=90
landArea | landArea | lot area=98, land area=98, land sqft=97, lot sqft=97, lot=45, area=60,
  gis area=80, total area=66, parcel area=85, legal area=80, site area=66, sqft=45,
  land area sqft=98, lot area sqft=98, gis sqft=80, land total area=90, site sqft=55,
  parcel sqft=85, land acres sqft=60, area sqft=60, total land area=97, land units=40,
  lot sqft area=97, calc area=75, usable sqft=70
areaUnit* | units | lot units=92, area units=90, lot unit=90, area unit=88, lot area units=96,
  lot area unit=96, land area unit=95, legal area unit=95, land area units=95, lot units kind=90,
  land unit kind=88, legal area units=95, land unit=70, land units=66
acres | acres | acres=98, total acres=97, gis acres=96, deed acres=96, land acres=97, site acres=92,
  legal acres=95, lot acres=95, parcel acres=96, acres total=97, acres number=90, tax acres=90,
  assessed acres=90, lot area acres=96, land area acres=96, area acres=92, gis area acres=92,
  legal area acres=90, calc acres=92
frontage | length | frontage=96, lot frontage=97, land frontage=96, site frontage=92,
  lot frontage sqft=90, frontage sqft=85
depthSize | length | depth=96, lot depth=97, land depth=96, site depth=92, depth sqft=85
legalDesc | legal | legal=94, legal description=100, site description=64, legal full=94,
  legal line=90, short legal description=95, parcel description=66, legal description full=98,
  legal description line=95, tax legal description=95, description=40, site legal description=96,
  parcel legal description=97, legal #1=90, description line=84
legalMore+* | legal | legal #2=94, legal description #2=96, legal line #2=90, legal #3=94,
  legal description #3=96, legal line #3=90, legal description line #2=95,
  legal description line #3=95, legal #4=90, legal description #4=92, description line #2=84,
  description line #3=84
subdivision | subdivision | subdivision=97, subdivision name=99, subdivision code=76,
  subdivision description=92, plat=60, plat name=85, subdivision number=72, legal subdivision=92,
  condo name=50, site subdivision=90, subdivision plat=80, subdivision id=66, plat description=75,
  description subdivision=90
blockNum | plot | block=92, block number=96, legal block=95, tax block=90, subdivision block=94,
  site block=85, block id=75
lotNum | plot | lot=88, lot number=96, legal lot=95, tax lot=90, subdivision lot=94, site lot=85,
  lot id=75, tract lot=88
section | plot | section=92, section number=92, legal section=94, plss section=94, section code=80
township | plot | township=86, township number=90, legal township=92
range | plot | range=88, range number=90, legal range=92
totalAssessedValue | money | tax assessed total=97, tax assessed value=97, net value=66,
  total assessed value=100, assessed value=96, total assessed=96, assessed total=96, assessed=72,
  assessed total value=100, assessed value total=100, site assessed value=85,
  current assessed value=95, count assessed value=94, county assessed value=94,
  net assessed value=80, parcel assessed value=92, assessed value full=80,
  total assessed value current=96, assessed current value=95, gross assessed value=85
assessedLandValue | money | assessed land value=100, assessed land=97, land assessed value=100,
  land assessed=97, total assessed land value=97, total land assessed=94,
  total land assessed value=97
assessedBuildingValue | money | assessed building value=100, assessed building=96,
  assessed improvement value=100, assessed improvement=96, improvement assessed value=100,
  total assessed improvement value=97, building assessed value=100, assessed building total=94,
  total improvement assessed value=97
totalMarketValue | money | total market value=100, market value=96, market total=96, market=74,
  total market=96, market value total=100, current market value=95, fair market value=96,
  total appraised value=100, site market value=85, parcel market value=94, market total value=100,
  land building market value=80
totalLandValue | money | market land value=100, market land=97, land market value=100,
  land market=97, total land market value=97, total market land value=97
totalBuildingValue | money | market building value=100, market improvement value=100,
  market improvement=96, market building=96, improvement market value=100, improvement market=96,
  building market value=100, total improvement market value=97, total market improvement value=97,
  total building market value=97
totalValue* | money | total land improvement value=96, land improvement value=96,
  roll total value=92, total value=92, value=60, parcel value=84, site value=64, tax value=56,
  value total=92, roll value=70, current value=66, total parcel value=88, land building value=66,
  total site value=80, current total value=92, tax total value=60
landValue* | money | roll land value=92, roll land=80, land value=95, total land value=94,
  land value total=94, current land value=93, land=50, land total=60, total land=62,
  site land value=80
buildingValue* | money | roll improvement value=92, roll improvement=80, building value=94,
  improvement value=95, total building value=93, total improvement value=94, improvement=60,
  building=35, improvement value total=93, building improvement value=92,
  current improvement value=93, current building value=92, total improvement=70, building total=50,
  total building=50, other improvement value=50, structure value=90
taxableValue | money | taxable value=98, taxable=85, total taxable value=98, net taxable value=98,
  taxable assessed value=92, county taxable value=92, count taxable value=92, taxable total=92,
  total taxable=94, current taxable value=95, tax value=50, taxable value total=97, net taxable=90
taxableLand* | money | taxable land=92, taxable land value=92, land taxable value=85
taxableBuilding* | money | taxable building=92, taxable improvement=90, taxable building value=92,
  taxable improvement value=92
exemptionAmount | money | exemption value=95, exemption total=95, total exemption=95, exemption=70,
  total exemption value=98, exemption value total=97, homestead exemption value=75
exemptLand* | money | exemption land=92, exemption land value=92
exemptBuilding* | money | exemption building=92, exemption improvement=90,
  exemption building value=92, exemption improvement value=92
assessedYear | year | assessed year=99, year=76, roll year=98, tax year=90, tax roll year=96,
  market year=70, current year=75, year assessed=95, assessed roll year=97, assessed tax year=92,
  site year=55, value year=85, appraised year=90
taxYear | year | tax year=98, tax roll year=80, bill year=85, mail year=70, year tax=95
rollVersion* | text | roll=60, roll year=50
taxValue | tax | tax mail value=92, tax=86, total tax=97, tax total=97, net tax=96, tax current=90,
  current tax=90, tax mail=70, annual tax=95, tax net=96, total tax value=80, net tax total=94,
  tax tax=80, tax annual=92, tax site=75, net site tax=90, tax full=80, last year tax=85,
  tax bill=75
taxRateCodeArea | code | tax percent area=92, tax percent area code=94, tax percent code=80,
  levy area=96, levy area code=97, tax district=90, tax code=84, tax area=90, tax area code=94,
  tax district code=92, levy area number=92, tax district number=88, tax code area=94, district=40,
  tax unit=60
schoolDistrict | code | school=86, school district=97, school code=85, school description=88,
  school name=86, school district name=96, school district code=92, school district description=96,
  school district number=92, district school=95, school tax code=70
ownerOccupied | flag | homestead=80, owner occupied=95, occupied=70, homestead exemption=85,
  exemption homestead=85, homestead status=88, owner occupied status=93, homestead code=80,
  homestead year=30
buildings.buildingArea | buildingArea | improvement sqft=88, improvement area=75, living area=98,
  living=74, building area=97, building sqft=98, total living area=99, living sqft=97,
  building living area=98, total sqft=64, total building area=95, total building sqft=96, sqft=62,
  building total area=95, total living sqft=98, building living sqft=98, total living=85,
  area building=97, total area sqft=60, net area=60, gross area=60, gross building area=90,
  area living=96, building area living=96, building total sqft=95, heated area=96,
  residence area=98, residence sqft=97, residence living area=98, residence living=90, area sqft=45,
  net living area=95, living area total=98, net building area=85, sqft living=97,
  living building area=98, gross sqft=62, building area sqft=96, site area=62, sqft structure=90,
  finish area=90, total finish area=92, structure area=85, living space=92, heated sqft=90
buildings.yearBuilt | yearBuilt | year improvement=80, date built=75, residence year built=98,
  year built=100, building year built=98, built=70, year built #1=98, building year=72,
  built year=99, site year built=92, year year built=92, building built year=97,
  actual year built=99, market year built=95, year built building=97, built date=60
buildings.effectiveYearBuilt | yearBuilt | effective y=90, year effective y=80,
  effective year built=99, effective year=97, effective=82, building effective year=95,
  effective built=90, year effective=96, building effective year built=97, effective built year=98
buildings.stories | stories | stories=97, number stories=98, building stories=97, stories number=95,
  stories total=90, stories count=94, total stories=92, stories height=85,
  building number stories=96
buildings.totalBedrooms | rooms | bedrooms=97, number bedrooms=98, total bedrooms=98,
  building bedrooms=97, bedrooms count=97, bedrooms number=96, bedrooms total=97, rooms bedrooms=80,
  count bedrooms=97, bedrooms rooms=85
buildings.totalBathrooms | rooms | bathrooms=97, number bathrooms=98, total bathrooms=99,
  full bathrooms=92, building bathrooms=95, bathrooms count=97, bathrooms full=92,
  bathrooms number=96, bathrooms total=98, building full bathrooms=92, count bathrooms=96,
  number full bathrooms=92, full bathrooms number=90, full bathrooms count=90, number full=66,
  full ?b=72
halfBaths* | rooms | half bathrooms=95, half=62, number half=68, number half bathrooms=96,
  building half=80, building half bathrooms=95, bathrooms half=95, total half bathrooms=94,
  half bathrooms count=94, half bathrooms number=94, half ?b=72
buildings.constructionType | code | built material=92, building material=90, material=60,
  built kind=92, kind built=92, building built kind=95, built description=85, built class=80,
  frame kind=85
buildings.buildingStyle | code | style=92, building style=95, building style description=96,
  style description=95, style code=85, building style code=88, house style=92, built style=80,
  building kind=80, kind building=80, building description=56, building code description=58,
  building kind description=78, structure kind description=70, building use kind=55,
  building kind code=66
buildings.wallType | code | wall=90, wall kind=96, wall description=90, building wall=92,
  wall code=85, wall material=92, wall finish=80, building wall description=92
buildings.roofType | code | roof=88, roof kind=96, roof description=90, building roof=90,
  roof material=92, roof code=85, roof cover=90, building roof built=90, roof style=85,
  roof built=88, roof structure=85
buildings.foundationType | code | foundation=94, foundation kind=97, foundation description=92,
  building foundation=94, foundation code=88
buildings.basementType | code | basement=86, basement kind=97, basement description=92,
  basement code=94, building basement=90, basement finish=75, building basement kind=95
buildings.heatingType | code | heating=90, heating kind=97, kind heating=97, heating description=94,
  heating code=88, building heating=92, heating fuel=80, heating system=92, heating cooling=75,
  building heating kind=95, heating method=88, fuel heating=75
buildings.coolingType | code | cooling=90, cooling kind=97, cooling description=94,
  building cooling=92, cooling code=88, cooling cooling=92, heating cooling=60,
  building cooling kind=95
buildings.garageCount | rooms | garage=80, garage count=95, garage capacity=92, garage number=90,
  garage size=75, number garage=92, garage stalls=94, garage garage=92, building garage=76
buildings.fireplaceCount | rooms | fireplace=92, number fireplace=97, fireplace count=97,
  fireplace number=95, building fireplace=94, fireplace total=94, count fireplace=97,
  total fireplace=95
buildings.pool | flag | pool=88, pool status=92, swimming pool=92, building pool=88, pool kind=60
transfers.transferDate | date | document date=76, sale date=100, deed date=84, date sale=100,
  date=40, last sale date=100, sale=70, sale date #1=100, current sale date=95, sale deed date=92,
  deed sale date=92, sale document date=85, site sale date=90, owner date=60, date owner=60,
  date sold=100, sale full date=92, sale valid date=80, new owner date=78, sale month year=95,
  sale year month=95
transfers.transferPrice | price | sale price=100, price=85, sale value=92, sale price value=97,
  last sale price=100, sale price total=92, total sale price=95, sale=45, current sale price=95,
  sale total value=80, deed value=60, site sale price=90
transfers.recordingDate | date | recording date=97, date recording=97, deed recording date=97,
  document date=74, document recording date=96, sale recording date=95, deed document date=70,
  date recording sale=92
transfers.transferDocType | code | deed kind=94, document kind=94, sale kind=76, sale deed kind=96,
  sale document kind=95, kind document=90, deed code=80, document code=80, sale kind code=74,
  sale document=66, kind deed=92, sale document code=80, deed kind code=90, document kind code=90,
  document kind description=92, deed description=60
transfers.transferDocNum | document | document number=97, document=82, deed number=84,
  deed document=84, sale document=76, document id=92, book page=80, sale document number=96,
  deed=55, deed document number=95, recording number=92, sale deed number=85,
  recording document number=96, document recording number=96, book page deed=85, sale number=60,
  sale book page=84, deed book page=88
transfers.bookNum | plot | book=92, deed book=98, sale book=97, book number=94, ?or book=94,
  last sale book=96, sale deed book=96, deed book number=97, recording book=96, document book=92,
  deed book id=96, book id=90
transfers.pageNum | plot | page=92, deed page=98, sale page=97, page number=94, ?or page=94,
  last sale page=96, sale deed page=96, deed page number=97, recording page=96, document page=92,
  deed page id=90, ?dr page=80
transfers.grantor | owner2 | grantor=96, grantor name=98, sale grantor=96, deed grantor=95,
  last grantor=92
transfers.grantee | owner2 | grantee=96, grantee name=98, sale grantee=96, deed grantee=95
transfers.saleQualificationCode | code | qualified code=90, sale qualified=94, qualified=80,
  sale code=78, sale qualified code=97, sale valid code=95, sale status=72, quality code=68,
  sale valid=94, sale quality code=84, qualified sale=94, sale kind code=60,
  sale qualified description=85, sale condition code=70
saleYear* | saleYear | sale year=96, year sale=96, sale roll year=70, deed year=85, year sold=96,
  last sale year=96
saleMonth* | saleMonth | sale month=96, month sale=96, deed month=85, last sale month=96
saleDay* | count | sale day=92, deed day=80
`.replaceAll(/\n +/g, ' ')
