import { count, group, resource, text } from '#engine'
import { Datasource } from '../../schemas/development/datasource.ts'

export const datasource = resource(Datasource, {
  path: '/blade-develop/datasource',
  route: '/develop/datasource',
  calls: { list: 'GET list' },
  can: ['view', 'add', 'edit', 'remove'],
  columns: ['name', 'category', 'driverClass', { field: 'url', width: 280 }, 'username', 'remark'],
  search: ['name', 'category', 'createTime'],
  filters: ['driverClass', 'url', 'username', 'remark'],
  form: [
    'name',
    'category',
    'driverClass',
    { field: 'url', span: 24 },
    'username',
    'password',
    { field: 'remark', span: 24 },
  ],
  sealed: { url: 'local' },
  actions: {
    test: {
      label: '测试连接',
      call: 'POST test?id',
      answer: group({ message: text('说明'), count: count('表数量') }),
      code: 'test',
    },
  },
})
