import { numberedShape, resource } from '#engine'
import { Examsignfiles } from '../../schemas/exams/examsignfiles.ts'
import { byExam, settings } from '../scopes.ts'

export const examsignfiles = resource(Examsignfiles, {
  path: '/blade-signfiles/examsignfiles',
  route: '/exam/signfiles',
  columns: [
    'examId',
    'fileCode',
    'fileName',
    'fileDesc',
    'required',
    'maxNum',
    'maxSize',
    'exts',
    'isPhoto',
    'sort',
    'enable',
  ],
  search: ['examId', 'fileName', 'enable', 'createTime'],
  order: { by: 'sort', within: 'examId' },
  form: {
    基本信息: [
      'examId',
      'fileCode',
      'fileName',
      { field: 'fileDesc', span: 24 },
      'required',
      'enable',
      'sort',
      'sample',
    ],
    文件要求: [
      'exts',
      'maxSize',
      'minNum',
      'maxNum',
      'isPhoto',
      { field: 'photoW', when: { isPhoto: 1 } },
      { field: 'photoH', when: { isPhoto: 1 } },
    ],
  },
  empty: {
    text: '还没有附件项',
    next: { '用「证件照 + 身份证 + 学历 + 执业证」': 'beginUsual', 新增: 'add' },
  },
  scope: byExam('examId', settings),
  actions: {
    /** The papers of the new exam's wizard, for an exam that asks for none. */
    beginUsual: {
      label: '用「证件照 + 身份证 + 学历 + 执业证」',
      call: 'POST beginUsual',
      on: 'empty',
      input: ['examId'],
      answer: numberedShape,
      code: 'add',
    },
  },
})
