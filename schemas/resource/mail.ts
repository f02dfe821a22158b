import { dateTime, dict, entity, filled, integer, optional, type Row, secret, state, text } from '#engine'
import { enableStatus, MailSecurity, mailSecurity } from '../dictionaries.ts'

/** An account at a server that sends e-mail. */
export const Mail = entity(
  'mail',
  '邮箱配置',
  {
    fromAddress: text('发件地址', {
      maxLength: 100,
      format: 'email',
      help: '收件人看到并可回复的地址，退信也退到这里，请填有人查看的邮箱',
    }),
    fromName: text('发件人名称', { maxLength: 50, help: '收件人看到的名称，例如本机构名称' }),
    host: text('SMTP服务器', {
      maxLength: 255,
      pattern: '^[A-Za-z0-9]([A-Za-z0-9.:-]*[A-Za-z0-9])?$',
      help: '邮箱服务商提供，例如 smtp.example.org；内网服务器须列在系统参数 mail.hosts 中',
    }),
    port: integer('端口', { minimum: 1, maximum: 65_535, default: 465, help: 'TLS 通常为 465，STARTTLS 通常为 587' }),
    mailSecurity: dict('加密方式', mailSecurity, {
      default: MailSecurity.tls,
      help: '不加密只能用于系统参数 mail.hosts 中列出的服务器',
    }),
    mailAccount: optional(text('登录名', { maxLength: 100, help: '通常就是发件地址；服务器不要求登录时不填' })),
    mailPassword: optional(
      secret('SMTP 密码', { maxLength: 255, help: '多数服务商要求使用授权码；只写不读，修改时留空即不变' }),
    ),
    dkimDomain: optional(text('DKIM 域名', { maxLength: 255, help: '由本系统签名时填写；服务商代为签名的不必填' })),
    dkimSelector: optional(text('DKIM 选择符', { maxLength: 63 })),
    dkimKey: optional(secret('DKIM 私钥', { maxLength: 4096, help: 'PEM 格式；只写不读，修改时留空即不变' })),
    mailStatus: state('状态', enableStatus),
    pausedTime: filled(optional(dateTime('暂停时间'))),
    pauseReason: filled(optional(text('暂停原因'))),
    remark: optional(text('备注')),
  },
  { label: 'fromAddress' },
)
export type Mail = Row<typeof Mail>

declare module '#engine' {
  interface Entities {
    mail: typeof Mail
  }
}
