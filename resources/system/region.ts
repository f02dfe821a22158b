import { resource } from '#engine'
import { Region } from '../../schemas/system/region.ts'

export const region = resource(Region, {
  path: '/blade-system/region',
  route: '/system/region',
  calls: { list: 'GET list', detail: 'GET detail?code', remove: 'POST remove?id' },
  columns: ['code', 'parentCode', 'name', 'regionLevel', 'sort'],
  search: ['code', 'name'],
  filters: ['regionLevel', 'provinceName', 'cityName', 'districtName', 'sort', 'remark'],
  names: { parentName: 'parentCode' },
  aliases: { level: 'regionLevel' },
  sort: 'code',
  form: ['parentCode', 'code', 'name', 'regionLevel', 'sort', 'remark'],
  tree: { parent: 'parentCode', lazy: true },
})
