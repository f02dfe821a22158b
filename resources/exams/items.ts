import { dict, resource } from '#engine'
import { enableStatus } from '../../schemas/dictionaries.ts'
import { Items } from '../../schemas/exams/items.ts'

export const items = resource(Items, {
  path: '/blade-items/items',
  route: '/exam/items',
  columns: [
    'itemCode',
    'itemName',
    'groupName',
    'inputType',
    'dictCode',
    'required',
    'builtin',
    'sort',
    { field: 'status', as: 'tag' },
  ],
  search: ['itemCode', 'itemName', 'groupName', 'inputType', 'status', 'createTime'],
  order: { by: 'sort' },
  form: [
    'itemCode',
    'itemName',
    'groupName',
    'inputType',
    'dictCode',
    'required',
    'maxLength',
    { field: 'regex', as: 'pattern' },
    'regexMsg',
    'placeholder',
    'defaultValue',
    'sensitive',
    'span',
    'sort',
  ],
  sealed: { builtin: 1 },
  actions: {
    changeStatus: { label: '启停', call: 'POST changeStatus?id,status', ask: { status: dict('状态', enableStatus) } },
  },
})
