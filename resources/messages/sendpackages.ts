import { resource } from '#engine'
import { Sendpackages } from '../../schemas/messages/sendpackages.ts'

export const sendpackages = resource(Sendpackages, {
  path: '/blade-sendPackages/sendpackages',
  route: '/send/packages',
  columns: ['packageName', 'num', 'price', 'validDays', 'sort', { field: 'packageStatus', as: 'tag' }, 'remark'],
  search: ['packageName', 'packageStatus', 'createTime'],
  sort: 'sort',
  editable: { packageStatus: 0 },
  actions: {
    onShelf: {
      label: '上架',
      call: 'POST onShelf?id',
      when: { packageStatus: 0 },
      set: { packageStatus: 1 },
      code: 'shelf',
    },
    offShelf: {
      label: '下架',
      call: 'POST offShelf?id',
      when: { packageStatus: 1 },
      set: { packageStatus: 0 },
      code: 'shelf',
    },
  },
})
