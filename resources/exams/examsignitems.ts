import { numberedShape, resource } from '#engine'
import { Examsignitems } from '../../schemas/exams/examsignitems.ts'
import { byExam, settings } from '../scopes.ts'

export const examsignitems = resource(Examsignitems, {
  path: '/blade-signitems/examsignitems',
  route: '/exam/signitems',
  columns: ['examId', 'itemsId', 'itemCode', 'itemName', 'groupName', 'inputType', 'required', 'sort', 'enable'],
  search: ['examId', 'itemName', 'enable', 'createTime'],
  order: { by: 'sort', within: 'examId' },
  form: {
    基本信息: ['examId', 'itemsId', 'itemCode', 'itemName', 'groupName', 'inputType', 'dictCode', 'required', 'enable'],
    显示与导出: ['applyTypes', 'span', 'sort', 'inList', 'inExport', 'inPrint'],
    校验与表格: [
      { field: 'rules', span: 24 },
      { field: 'columns', span: 24 },
    ],
  },
  empty: { text: '报名表还没有信息项', next: { '用「常用报名表（24 项）」': 'beginUsual', 新增: 'add' } },
  scope: byExam('examId', settings),
  actions: {
    /** The form of the new exam's wizard, for an exam without one. */
    beginUsual: {
      label: '用「常用报名表（24 项）」',
      call: 'POST beginUsual',
      on: 'empty',
      input: ['examId'],
      answer: numberedShape,
      code: 'add',
    },
  },
})
