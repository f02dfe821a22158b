import { cases, resource, when, wide } from '#engine'
import { Typecode } from '../../schemas/exams/typecode.ts'
import { byExam, settings } from '../scopes.ts'

export const typecode = resource(Typecode, {
  path: '/blade-typeCode/typecode',
  route: '/exam/typecode',
  columns: ['typeName', 'type', 'typeCode', 'examId', 'sort'],
  search: ['typeName', 'type', 'typeCode', 'examId', 'createTime'],
  sort: 'sort',
  scope: cases(
    when({ examId: { not: null } }, byExam('examId', settings)),
    when({ examId: null }, wide('codes without an exam are shared by all exams of the tenant')),
  ),
})
