import { RegionLevel } from '#schemas/dictionaries'
import type { Seeding } from './tenant.ts'

/** Code of the country, above the provinces. */
const country = '00'

const rowsAtOnce = 1000

interface Place {
  code: string
  name: string
  regionLevel: 0 | 1 | 2 | 3
}

/** `110000` is the province 11, `110100` its city 1101, `110101` a district. */
const placesOf = (list: Readonly<Record<string, string>>, regionLevel: 1 | 2 | 3): Place[] =>
  Object.entries(list).map(([code, name]) => ({ code: code.slice(0, regionLevel * 2), name, regionLevel }))

function rowOf({ code, name, regionLevel }: Place, byCode: ReadonlyMap<string, Place>) {
  const above = [code.slice(0, 2), code.slice(0, 4)].filter(one => one.length < code.length && byCode.has(one))
  const nameOf = (length: number) => {
    const key = code.slice(0, length)
    return code.length < length ? ['', ''] : [key, byCode.get(key)?.name ?? '']
  }
  const [provinceCode, provinceName] = nameOf(2)
  const [cityCode, cityName] = nameOf(4)
  const [districtCode, districtName] = nameOf(6)
  return {
    code,
    name,
    regionLevel,
    provinceCode,
    provinceName,
    cityCode,
    cityName,
    districtCode,
    districtName,
    parentCode: above.at(-1) ?? country,
    ancestors: [country, ...above].join(),
  }
}

/** Provinces, cities and districts of the country, when there are none. */
export async function seedRegions({ trx }: Seeding): Promise<void> {
  const found = await trx.selectFrom('region').select('id').limit(1).executeTakeFirst()
  if (found) return
  const { areaList } = await import('@vant/area-data')
  const places = [
    ...placesOf(areaList.province_list, RegionLevel.province),
    ...placesOf(areaList.city_list, RegionLevel.city),
    ...placesOf(areaList.county_list, RegionLevel.district),
  ]
  const byCode = new Map(places.map(place => [place.code, place]))
  const top = {
    code: country,
    name: '中华人民共和国',
    parentCode: '0',
    ancestors: '',
    regionLevel: RegionLevel.country,
    sort: 0,
  }
  const rows = places.map((place, i) => ({ ...rowOf(place, byCode), sort: i + 1 }))
  await trx.insertInto('region').values(top).execute()
  for (let i = 0; i < rows.length; i += rowsAtOnce) {
    await trx
      .insertInto('region')
      .values(rows.slice(i, i + rowsAtOnce))
      .execute()
  }
}
