import type { ChannelFault } from '../../fault.ts'
import { SmsError } from '../channel.ts'

/** What every answer of Aliyun says; the rest depends on the call. */
export interface AliyunAnswer {
  Code?: string
  Message?: string
}

/** What Aliyun says, in words, by its code, and what follows from it. */
const reasons: Readonly<Record<string, readonly [ChannelFault, string]>> = {
  'isv.BUSINESS_LIMIT_CONTROL': ['final', '该号码接收过于频繁，运营商限制发送'],
  'isv.MOBILE_NUMBER_ILLEGAL': ['final', '手机号码不正确'],
  'isv.MOBILE_COUNT_OVER_LIMIT': ['final', '手机号码过多'],
  'isv.BLACK_KEY_CONTROL_LIMIT': ['final', '内容含有禁发的词'],
  'isv.SMS_CONTENT_ILLEGAL': ['final', '内容含有禁发的词'],
  'isv.DENY_IP_RANGE': ['settings', '服务器地址不在服务商的白名单内'],
  'isv.AMOUNT_NOT_ENOUGH': ['settings', '服务商账户余额不足'],
  'isv.OUT_OF_SERVICE': ['settings', '服务商账户已停机'],
  'isv.ACCOUNT_ABNORMAL': ['settings', '服务商账户已停机'],
  'isv.PRODUCT_UN_SUBSCRIPT': ['settings', '账户没有发送短信的权限'],
  'isv.DAY_LIMIT_CONTROL': ['later', '已达服务商的日发送限额'],
  'isv.SMS_SIGNATURE_ILLEGAL': ['settings', '短信签名不存在或未通过审核'],
  'isv.SIGN_NAME_ILLEGAL': ['settings', '短信签名不存在或未通过审核'],
  'isv.SMS_TEMPLATE_ILLEGAL': ['settings', '短信模板不存在或未通过审核'],
  'isv.TEMPLATE_MISSING_PARAMETERS': ['final', '模板参数缺失'],
  'isv.TEMPLATE_PARAMS_ILLEGAL': ['final', '模板参数不合规范'],
  'isv.PARAM_LENGTH_LIMIT': ['final', '模板参数过长'],
  'isv.ACCOUNT_NOT_EXISTS': ['settings', 'accessKey不正确'],
  'InvalidAccessKeyId.NotFound': ['settings', 'accessKey不正确'],
  'InvalidTimeStamp.Expired': ['settings', '服务器的时间与服务商相差过多'],
  SignatureDoesNotMatch: ['settings', 'secretKey不正确'],
  'isp.RAM_PERMISSION_DENY': ['settings', '账户没有发送短信的权限'],
  Forbidden: ['settings', '账户没有发送短信的权限'],
}

/** Codes that say "not now": the same message goes later. */
const later = /^(Throttling|isp\.SYSTEM_ERROR|ServiceUnavailable|InternalError)/

/** Limits of a number that end within the hour; those of a day do not. */
const short = /分钟级|小时级/

/** What Aliyun's refusal of a message means. */
export function refusalOf({ Code = '', Message = '' }: AliyunAnswer): SmsError {
  const [fault, words] = reasons[Code] ?? [later.test(Code) ? 'later' : 'final', `短信服务商拒绝：${Message || Code}`]
  return new SmsError(words, short.test(Message) ? 'later' : fault)
}

/** What Aliyun's code of a refusal means in words, where it is known. */
export const reasonOf = (code: string): string | undefined => reasons[code]?.[1]
