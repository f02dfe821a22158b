import { resource } from '#engine'
import { Typecode } from '../../schemas/exam/typecode.ts'

export const typecode = resource(Typecode, {
  path: '/blade-typeCode/typecode',
  route: '/exam/typecode',
  columns: ['typeName', 'type', 'typeCode', 'examId', 'sort'],
  search: ['typeName', 'type', 'typeCode', 'examId', 'createTime'],
  sort: 'sort',
})
