import { resource } from '#engine'
import { Examsignitems } from '../../schemas/exam/examsignitems.ts'

export const examsignitems = resource(Examsignitems, {
  path: '/blade-signitems/examsignitems',
  route: '/exam/signitems',
  columns: ['examId', 'itemsId', 'itemCode', 'itemName', 'groupName', 'inputType', 'required', 'sort', 'enable'],
  search: ['examId', 'itemName', 'enable', 'createTime'],
  sort: 'sort',
  exam: 'examId',
})
