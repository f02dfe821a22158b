import { resource } from '#engine'
import { OnshelfStatus } from '../../schemas/dictionaries.ts'
import { Sendpackages } from '../../schemas/messages/sendpackages.ts'

export const sendpackages = resource(Sendpackages, {
  path: '/blade-sendPackages/sendpackages',
  route: '/send/packages',
  columns: ['packageName', 'num', 'price', 'validDays', 'sort', { field: 'packageStatus', as: 'tag' }, 'remark'],
  search: ['packageName', 'packageStatus', 'createTime'],
  sort: 'sort',
  editable: { packageStatus: OnshelfStatus.offShelf },
  transitions: {
    onShelf: {
      label: '上架',
      call: 'POST onShelf?id',
      when: { packageStatus: OnshelfStatus.offShelf },
      set: { packageStatus: OnshelfStatus.onShelf },
      code: 'shelf',
    },
    offShelf: {
      label: '下架',
      call: 'POST offShelf?id',
      when: { packageStatus: OnshelfStatus.onShelf },
      set: { packageStatus: OnshelfStatus.offShelf },
      code: 'shelf',
    },
  },
})
