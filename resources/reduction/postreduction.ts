import { resource } from '#engine'
import { Postreduction } from '../../schemas/reduction/postreduction.ts'

export const postreduction = resource(Postreduction, {
  path: '/blade-signup/postreduction',
  route: '/reduction/post',
  can: ['view', 'export'],
  columns: [
    'examId',
    'unit',
    'code',
    'beforeNum',
    'effectNum',
    'ratio',
    'afterNum',
    { field: 'decision', as: 'tag' },
    'basis',
    'confirmUser',
    'confirmTime',
  ],
  search: ['examId', 'unit', 'code', 'decision', 'createTime'],
  exam: 'examId',
})
