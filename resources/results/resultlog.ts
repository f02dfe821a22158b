import { resource } from '#engine'
import { Resultlog } from '../../schemas/results/resultlog.ts'
import { arranged, byExam } from '../scopes.ts'

export const resultlog = resource(Resultlog, {
  path: '/blade-result/resultlog',
  can: ['view', 'export'],
  columns: [
    'examId',
    'itemId',
    'signupId',
    'ticketNo',
    { field: 'changeType', as: 'tag' },
    'oldScore',
    'score',
    'oldAddScore',
    'addScore',
    'oldFlag',
    'resultFlag',
    'createUser',
    'createTime',
  ],
  search: ['examId', 'itemId', 'signupId', 'ticketNo', 'changeType', 'createUser', 'createTime'],
  scope: byExam('examId', arranged),
})
