import { resource } from '#engine'
import { Sendpackages } from '../../schemas/send/sendpackages.ts'

export const sendpackages = resource(Sendpackages, {
  path: '/blade-sendPackages/sendpackages',
  route: '/send/packages',
  columns: ['packageName', 'num', 'price', 'validDays', 'sort', { field: 'packageStatus', as: 'tag' }],
  search: ['packageName', 'packageStatus', 'createTime'],
  sort: 'sort',
})
