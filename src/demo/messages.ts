import { randomBytes } from 'node:crypto'
import { wechatTemplates } from '#engine'
import { domainEvents } from '#resources/events'
import { EnableStatus, LedgerType, MailSecurity, OnshelfStatus, SmsVendor } from '#schemas/dictionaries'
import { Wechat } from '#schemas/resource/wechat'
import type { Vault } from '../platform/vault/vault.ts'
import type { Demo } from './exams.ts'

/** Messages the demonstration begins with. */
const gift = 500

const templates = [
  ['validate', '验证码{code}，{minutes}分钟内有效，请勿告诉他人。', '登录、注册等使用的验证码'],
  ['催缴提醒', '{name}您好，您已通过{examName}的报名审核，请尽快登录系统缴费。', '催缴'],
  ['准考证提醒', '{name}您好，{examName}的准考证已可下载，请及时登录系统打印。', '准考证提醒'],
  ['阅读提醒', '{name}您好，请登录系统阅读《{title}》，需要确认的请及时确认。', '提醒未读'],
] as const

/** A template for each event that goes out by text message. */
const eventTemplates = [...domainEvents.values()]
  .filter(({ by }) => by?.sms !== undefined)
  .map(({ name, text, label }) => [name, text.zh, label] as const)

const packages = [
  ['体验包', 100, 800, 30],
  ['标准包', 1000, 7000, 365],
  ['大客户包', 10_000, 60_000, null],
] as const

/** Settings of the sandboxes for text messages, e-mail and WeChat, packages to buy and a balance to begin with. */
export async function makeMessages({ db, tenantId, now, staff }: Demo, vault: Vault): Promise<void> {
  const stamp = { tenantId, createUser: staff.kaowu, createTime: now, updateTime: now }
  await db
    .insertInto('sms')
    .values(
      [...templates, ...eventTemplates].map(([smsCode, templateContent, remark], i) => ({
        ...stamp,
        category: SmsVendor.simulated,
        smsCode,
        priority: 1,
        templateId: `DEMO${i + 1}`,
        templateContent,
        signName: '聚贤招聘',
        // The sandbox asks for no key; the column wants one.
        accessKey: '',
        smsStatus: EnableStatus.enabled,
        remark,
      })),
    )
    .execute()
  // Where it stands is of no matter: e-mails of the demonstration go to its own server.
  await db
    .insertInto('mail')
    .values({
      ...stamp,
      fromAddress: 'office@example.org',
      fromName: '聚贤招聘',
      host: 'localhost',
      port: 25,
      mailSecurity: MailSecurity.none,
      mailStatus: EnableStatus.enabled,
      remark: '演示环境的邮件不发到外面，在邮件沙箱中查看',
    })
    .execute()
  // WeChat of the demonstration is in this program: three phones in the sandbox.
  await db
    .insertInto('wechat')
    .values({
      ...stamp,
      accountName: '聚贤招聘',
      appId: 'wx00000000000d3305',
      appSecret: vault.seal(randomBytes(16).toString('hex')),
      pushToken: vault.seal(randomBytes(12).toString('hex')),
      aesKey: vault.seal(randomBytes(32).toString('base64').replaceAll(/[+/=]/g, 'A').slice(0, 43)),
      ...Object.fromEntries(
        wechatTemplates.flatMap(one => [
          [`${one}Template`, `DEMO-${one.toUpperCase()}-TEMPLATE-0001`],
          [`${one}Keywords`, Wechat.properties[`${one}Keywords`].default],
        ]),
      ),
      wechatStatus: EnableStatus.enabled,
      remark: '演示环境的微信不发到外面，在微信沙箱中查看',
    })
    .execute()
  await db
    .insertInto('sendpackages')
    .values(
      packages.map(([packageName, num, price, validDays], i) => ({
        ...stamp,
        packageName,
        num,
        price,
        validDays,
        sort: i + 1,
        packageStatus: OnshelfStatus.onShelf,
      })),
    )
    .execute()
  await db
    .insertInto('sendledger')
    .values({ ...stamp, changeType: LedgerType.gift, num: gift, balance: gift, refType: 'sendpay', refId: '0' })
    .execute()
}
