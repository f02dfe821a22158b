import type { ChannelFault } from '../../fault.ts'
import { SmsError } from '../channel.ts'

/** What Tencent Cloud says, in words, by its code, and what follows from it. The first that fits counts. */
const reasons: readonly (readonly [RegExp, ChannelFault, string?])[] = [
  [/^AuthFailure\.SecretIdNotFound/, 'settings', 'accessKey不正确'],
  [/^AuthFailure\.SignatureExpire/, 'settings', '服务器的时间与服务商相差过多'],
  [/^AuthFailure\.SignatureFailure/, 'settings', 'secretKey不正确'],
  [/^AuthFailure/, 'settings', '密钥不正确或没有权限'],
  [/SdkAppId/, 'settings', '应用编号（SmsSdkAppId）不正确'],
  [/RequestIpNotInWhitelist/, 'settings', '服务器地址不在服务商的白名单内'],
  [/SuspendDueToArrears/, 'settings', '服务商账户已停机'],
  [/^(UnauthorizedOperation|UnsupportedRegion)/, 'settings', '账户没有发送短信的权限'],
  [/InsufficientBalance/, 'settings', '服务商账户余额不足'],
  [/(SignatureIncorrectOrUnapproved|MissingSignature|SignNameIncorrect)/, 'settings', '短信签名不存在或未通过审核'],
  [
    /(TemplateIncorrectOrUnapproved|TemplateUnapprovedOrNotExist|TemplateIdNotExist)/,
    'settings',
    '短信模板不存在或未通过审核',
  ],
  [/^(RequestLimitExceeded|LimitExceeded\.DeliveryFrequencyLimit)/, 'later', '发送过快，服务商限制'],
  [/^LimitExceeded\.PhoneNumber(ThirtySecond|OneHour)Limit/, 'later', '该号码接收过于频繁，服务商限制发送'],
  [/^LimitExceeded\.PhoneNumber/, 'final', '该号码今日接收过多，服务商限制发送'],
  [/^LimitExceeded/, 'later', '已达服务商的日发送限额'],
  [/^(InternalError|ResourceUnavailable|FailedOperation\.MarketingSendTimeConstraint)/, 'later'],
  [/PhoneNumberInBlacklist/, 'final', '该号码在服务商的黑名单内'],
  [/IncorrectPhoneNumber/, 'final', '手机号码不正确'],
  [/ContainSensitiveWord/, 'final', '内容含有禁发的词'],
  [/TemplateParameterLengthLimit|ContentLengthLimit/, 'final', '模板参数过长'],
  [/TemplateParam|ProhibitedUseUrl/, 'final', '模板参数不合规范'],
]

/** What Tencent Cloud's refusal of a message means. */
export function refusalOf({ Code = '', Message = '' }: { Code?: string; Message?: string }): SmsError {
  const [, fault = 'final', words] = reasons.find(([code]) => code.test(Code)) ?? []
  return new SmsError(words ?? `短信服务商拒绝：${Message || Code}`, fault)
}
