import { dateTime, entity, filled, optional, type Row, secret, state, text } from '#engine'
import { enableStatus } from '../dictionaries.ts'

const templateId = optional(text('模板ID', { maxLength: 64, pattern: '^[A-Za-z0-9_-]{20,64}$' }))

/** What the keywords of a template say, as `thing1=事项`, joined by blanks or commas. */
const keywords = (preset: string) =>
  optional(
    text('关键词', {
      maxLength: 255,
      default: preset,
      help: '照模板详情中的关键词填写，例如 thing1=事项 time2=截止时间；可用：事项、内容、考试、编号、时间、截止时间、咨询电话',
    }),
  )

const withTitle = <F extends { readonly title: string }>(field: F, title: string): F => ({ ...field, title })

/** An official account at WeChat that sends template messages. */
export const Wechat = entity(
  'wechat',
  '公众号配置',
  {
    accountName: text('公众号名称', { maxLength: 50, help: '扫码的人看到的名称，须为已认证的服务号' }),
    appId: text('开发者ID（AppID）', {
      maxLength: 18,
      pattern: '^wx[0-9a-f]{16}$',
      help: '公众平台「设置与开发 - 基本配置」中取得；本服务器的出口地址须列入那里的 IP 白名单',
    }),
    appSecret: secret('开发者密码（AppSecret）', { maxLength: 64, help: '只写不读，修改时留空即不变' }),
    pushToken: secret('令牌（Token）', {
      maxLength: 32,
      help: '3至32位字母或数字，与公众平台「服务器配置」中填写的相同；只写不读，修改时留空即不变',
    }),
    aesKey: optional(
      secret('消息加解密密钥（EncodingAESKey）', {
        maxLength: 43,
        help: '43位字母或数字，与公众平台「服务器配置」中的相同；填写后只接受安全模式的推送；只写不读，修改时留空即不变',
      }),
    ),
    resultTemplate: withTitle(templateId, '结果通知：模板ID'),
    resultKeywords: withTitle(keywords('thing1=考试 thing2=事项 time3=时间'), '结果通知：关键词'),
    todoTemplate: withTitle(templateId, '限期办理：模板ID'),
    todoKeywords: withTitle(keywords('thing1=考试 thing2=事项 time3=截止时间'), '限期办理：关键词'),
    scheduleTemplate: withTitle(templateId, '考试安排：模板ID'),
    scheduleKeywords: withTitle(keywords('thing1=考试 thing2=事项 time3=时间'), '考试安排：关键词'),
    listTemplate: withTitle(templateId, '成绩名单：模板ID'),
    listKeywords: withTitle(keywords('thing1=考试 thing2=事项 time3=时间'), '成绩名单：关键词'),
    accountTemplate: withTitle(templateId, '账号通知：模板ID'),
    accountKeywords: withTitle(keywords('thing1=事项 time2=时间'), '账号通知：关键词'),
    wechatStatus: state('状态', enableStatus),
    pausedTime: filled(optional(dateTime('暂停时间'))),
    pauseReason: filled(optional(text('暂停原因'))),
    remark: optional(text('备注')),
  },
  { label: 'accountName' },
)
export type Wechat = Row<typeof Wechat>

declare module '#engine' {
  interface Entities {
    wechat: typeof Wechat
  }
}
