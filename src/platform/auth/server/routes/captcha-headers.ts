import type { FastifyRequest } from 'fastify'

const text = (value: string | string[] | undefined) => (typeof value === 'string' && value ? value : undefined)

/** The answer to a captcha, as every call that asks for one takes it: in the headers `Captcha-Key` and `Captcha-Code`. */
export const captchaOf = ({ headers }: FastifyRequest) => ({
  key: text(headers['captcha-key']),
  answer: text(headers['captcha-code']),
})
