import { entity, filled, flag, integer, optional, type Row, ref, text } from '#engine'

/** Hours of the steps of a reminder, from the longest to the shortest. */
export const reminderSteps = { pattern: '^[0-9]{1,3}(,[0-9]{1,3}){0,5}$', maxLength: 30 } as const

/** How a reminder differs from what is preset: for one exam, or for all of the tenant. */
export const Reminderplan = entity(
  'reminderplan',
  '提醒设置',
  {
    examId: filled(optional(ref('考试', 'examination', { onRemove: 'with' }))),
    rule: filled(text('提醒', { maxLength: 60 })),
    isOn: filled(flag('启用')),
    steps: filled(text('提前小时数', reminderSteps)),
    /** As often as there are steps where nothing is said. */
    most: filled(optional(integer('最多次数', { minimum: 1, maximum: 9 }))),
  },
  { label: 'rule', uniques: [['examId', 'rule']] },
)
export type Reminderplan = Row<typeof Reminderplan>

declare module '#engine' {
  interface Entities {
    reminderplan: typeof Reminderplan
  }
}
