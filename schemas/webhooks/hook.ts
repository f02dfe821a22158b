import { dateTime, dict, entity, filled, longText, optional, type Row, ref, secret, state, text } from '#engine'
import { HookAlgorithm, HookOrder, hookAlgorithm, hookOrder, hookStatus } from '../dictionaries.ts'

/** An address of another system that is told of events. */
export const Hook = entity(
  'hook',
  '推送',
  {
    name: text('名称', { maxLength: 50, unique: true }),
    url: text('接收地址', {
      maxLength: 500,
      help: 'https 地址，不含用户名和密码；内网主机须列在系统参数 hook.hosts 中',
    }),
    /** Names of events, comma-joined. */
    events: longText('推送的事件', { maxLength: 4000 }),
    examId: optional(
      ref('考试', 'examination', { onRemove: 'with', help: '只推送该考试的事件；不选则推送全部考试和系统事件' }),
    ),
    algorithm: dict('签名算法', hookAlgorithm, { default: HookAlgorithm.sha256 }),
    deliveryOrder: dict('推送顺序', hookOrder, {
      default: HookOrder.subject,
      help: '全部按顺序时，一条未送达，后面的都等待',
    }),
    hookStatus: state('状态', hookStatus),
    /** It signs what is sent; the one before it signs, too, for a while. */
    secret: filled(optional(secret('密钥'))),
    secretTime: filled(optional(dateTime('密钥生成时间'))),
    formerSecret: filled(optional(secret('原密钥'))),
    formerUntil: filled(optional(dateTime('原密钥有效至'))),
    /** The first failure since something was last accepted. */
    failSince: filled(optional(dateTime('连续失败始于'))),
    offReason: filled(optional(text('自动停用原因'))),
    remark: optional(text('备注')),
  },
  { label: 'name', history: true },
)
export type Hook = Row<typeof Hook>

declare module '#engine' {
  interface Entities {
    hook: typeof Hook
  }
}
