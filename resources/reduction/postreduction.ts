import { resource } from '#engine'
import { Postreduction } from '../../schemas/reduction/postreduction.ts'
import { arranged, byExam } from '../scopes.ts'

export const postreduction = resource(Postreduction, {
  path: '/blade-signup/postreduction',
  route: '/reduction/record',
  can: ['view', 'export'],
  columns: [
    { field: 'examId', width: 220 },
    { field: 'unit', width: 200 },
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
  scope: byExam('examId', arranged),
})
