import { language } from '../../platform/i18n/i18n.ts'

/** `11月22日 星期日`, as in Shanghai. */
export const longDay = (at: number): string =>
  new Intl.DateTimeFormat(language() === 'en' ? 'en-GB' : 'zh-CN', {
    month: 'long',
    day: 'numeric',
    weekday: 'long',
    timeZone: 'Asia/Shanghai',
  }).format(at)
