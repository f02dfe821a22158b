import { SmsError } from '../channel.ts'
import type { AliyunAnswer } from './client.ts'

/** What Aliyun says, in words, by its code. */
const reasons: Readonly<Record<string, string>> = {
  'isv.BUSINESS_LIMIT_CONTROL': '该号码接收过于频繁，运营商限制发送',
  'isv.MOBILE_NUMBER_ILLEGAL': '手机号码不正确',
  'isv.MOBILE_COUNT_OVER_LIMIT': '手机号码过多',
  'isv.BLACK_KEY_CONTROL_LIMIT': '内容含有禁发的词',
  'isv.SMS_CONTENT_ILLEGAL': '内容含有禁发的词',
  'isv.DENY_IP_RANGE': '服务器地址不在服务商的白名单内',
  'isv.AMOUNT_NOT_ENOUGH': '服务商账户余额不足',
  'isv.OUT_OF_SERVICE': '服务商账户已停机',
  'isv.DAY_LIMIT_CONTROL': '已达服务商的日发送限额',
  'isv.SMS_SIGNATURE_ILLEGAL': '短信签名不存在或未通过审核',
  'isv.SIGN_NAME_ILLEGAL': '短信签名不存在或未通过审核',
  'isv.SMS_TEMPLATE_ILLEGAL': '短信模板不存在或未通过审核',
  'isv.TEMPLATE_MISSING_PARAMETERS': '模板参数缺失',
  'isv.TEMPLATE_PARAMS_ILLEGAL': '模板参数不合规范',
  'isv.PARAM_LENGTH_LIMIT': '模板参数过长',
  'isv.ACCOUNT_NOT_EXISTS': 'accessKey不正确',
  'InvalidAccessKeyId.NotFound': 'accessKey不正确',
  SignatureDoesNotMatch: 'secretKey不正确',
  'isp.RAM_PERMISSION_DENY': '账户没有发送短信的权限',
  Forbidden: '账户没有发送短信的权限',
}

/** Codes that say "not now": the same message goes later. */
const later = /^(Throttling|isp\.SYSTEM_ERROR|ServiceUnavailable|InternalError)/

/** What Aliyun's refusal of a message means. */
export function refusalOf({ Code = '', Message = '' }: AliyunAnswer): SmsError {
  return new SmsError(reasons[Code] ?? `短信服务商拒绝：${Message || Code}`, !later.test(Code))
}

/** Words for the code of a receipt that says a message did not arrive. */
export const undelivered = (code: string): string => reasons[code] ?? `未送达：${code}`
