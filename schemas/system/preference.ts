import { entity, json, type Row, ref, text } from '#engine'
import { keeping } from '../keeping.ts'

export const Preference = entity(
  'preference',
  '个人设置',
  {
    userId: ref('用户', 'user', { onRemove: 'with' }),
    name: text('设置名称', { maxLength: 100, pattern: '^[A-Za-z][A-Za-z0-9._-]*$' }),
    value: json<Readonly<Record<string, unknown>>>('设置内容'),
  },
  {
    label: 'name',
    uniques: [['userId', 'name']],
    about: 'userId',
    purpose: '记住您的界面设置',
    keep: { ...keeping.account, then: 'erase' },
  },
)
export type Preference = Row<typeof Preference>

declare module '#engine' {
  interface Entities {
    preference: typeof Preference
  }
}
