import { entity, filled, json, optional, type Row, ref, refs, state, text } from '#engine'
import { ViewAudience, viewAudience } from '../dictionaries.ts'

/** How a list is looked at: what it is filtered and sorted by, and how it is drawn. Whatever is not said is as the list has it. */
export interface ViewContent {
  /** Values by their name on the wire, without those of the place where the list stands; a day may be `$today-7`. */
  readonly filters?: Readonly<Record<string, unknown>>
  /** Field, `-` before it for descending. */
  readonly sort?: string
  readonly columns?: readonly string[]
  readonly widths?: Readonly<Record<string, number>>
  readonly density?: 'large' | 'medium' | 'small'
  readonly pageSize?: number
  /** Named filter of the list. */
  readonly chip?: string
}

export const Savedview = entity(
  'savedview',
  '列表视图',
  {
    title: text('视图名称', { maxLength: 30 }),
    resource: filled(text('所属列表', { maxLength: 64 })),
    userId: filled(ref('创建人', 'user', { onRemove: 'with' })),
    audience: state('可见范围', viewAudience, { default: ViewAudience.me }),
    roles: filled(optional(refs('可见角色', 'role', { help: '可见范围为“指定角色”时填写' }))),
    content: filled(json<ViewContent>('视图内容')),
  },
  { label: 'title', indexes: [['userId']] },
)
export type Savedview = Row<typeof Savedview>

declare module '#engine' {
  interface Entities {
    savedview: typeof Savedview
  }
}
