import { dateTime, optional, ref, text } from '#engine'

const itemId = ref('考试项目', 'examinationitem')
const releasing = {
  itemId,
  releaseTime: optional(dateTime('定时发布时间（不填则立即发布）')),
  reason: optional(text('有人缺成绩仍要发布的原因', { maxLength: 200 })),
} as const
const recalling = { itemId, reason: text('撤回原因', { maxLength: 200 }) } as const

/** Results of a stage as a whole: shown to the candidates, taken back, thrown away while nobody has seen them. */
export const stageActions = {
  releaseResult: {
    label: '发布成绩',
    on: 'toolbar',
    call: 'POST releaseResult',
    code: 'release',
    ask: releasing,
  },
  recallResult: {
    label: '撤回成绩',
    on: 'toolbar',
    call: 'POST recallResult',
    code: 'release',
    ask: recalling,
    danger: true,
  },
  deleteResult: {
    label: '清空未发布成绩',
    on: 'toolbar',
    call: 'POST deleteResult',
    code: 'delete',
    ask: { itemId },
    danger: true,
  },
} as const
