import type { DomainEvent, Facts } from '#engine'
import { escapeHtml } from '../../../platform/pdf/plain-text.ts'
import { type ExamFacts, factsOf, type Language, sentenceOf } from './words.ts'

/** What an e-mail says, beside whom it goes to. */
export interface MailWords {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** Around what an e-mail says. */
const frame = {
  zh: {
    greeting: '您好：',
    button: '登录查看',
    call: (phone: string) => `咨询电话：${phone}`,
    why: (site: string) => `您在${site}确认了这个邮箱并选择接收邮件，因此收到本邮件。`,
    change: '在「我的资料」的「消息」中可以关闭邮件。',
    joint: '：',
  },
  en: {
    greeting: 'Hello,',
    button: 'Sign in to see it',
    call: (phone: string) => `Questions: ${phone}`,
    why: (site: string) =>
      `You receive this because you confirmed this address at ${site} and chose to be told by e-mail.`,
    change: 'You can switch e-mails off under My details, Messages.',
    joint: ': ',
  },
} as const

/** Where an e-mail comes from. */
export interface MailSite {
  /** What the system is called. */
  readonly title: string
  /** The page to which the button leads. */
  readonly link: string
}

/** A sentence up to its first full stop, at most 100 characters. */
const subjectOf = (sentence: string, language: Language): string => {
  const [first = sentence] = sentence.split(language === 'zh' ? '。' : /(?<=\.)\s/)
  const subject = first.replace(/[.。]$/, '').replaceAll(/\s+/g, ' ')
  return subject.length > 100 ? `${subject.slice(0, 99)}…` : subject
}

/**
 * An event as an e-mail tells it: the sentence that the inbox has, the other facts as a list, one button, and why it comes. Nothing in
 * it is fetched from anywhere.
 */
export function mailWords(
  event: DomainEvent,
  facts: Facts,
  exam: ExamFacts,
  language: Language,
  { title, link }: MailSite,
): MailWords {
  const words = frame[language]
  const sentence = sentenceOf(event, facts, exam, language)
  const list = [
    ...(exam.examName ? [{ label: language === 'zh' ? '考试' : 'Exam', value: exam.examName }] : []),
    ...factsOf(event, facts, language),
  ]
  const foot = [title, ...(exam.contactPhone ? [words.call(exam.contactPhone)] : []), words.why(title), words.change]
  const text = [
    words.greeting,
    '',
    sentence,
    '',
    ...list.map(({ label, value }) => `${label}${words.joint}${value}`),
    ...(list.length > 0 ? [''] : []),
    `${words.button}${words.joint}${link}`,
    '',
    '-- ',
    ...foot,
  ].join('\n')
  const e = escapeHtml
  const rows = list.map(
    ({ label, value }) =>
      `<tr><th style="padding:4px 12px 4px 0;text-align:left;vertical-align:top;font-weight:400;color:#5c5f66;white-space:nowrap">${e(label)}</th><td style="padding:4px 0;white-space:pre-wrap">${e(value)}</td></tr>`,
  )
  const html = `<!doctype html><html lang="${language === 'zh' ? 'zh-CN' : 'en'}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${e(subjectOf(sentence, language))}</title></head>
<body style="margin:0;padding:24px 16px;background:#f4f5f6;font:16px/1.6 system-ui,'PingFang SC','Noto Sans SC',sans-serif;color:#1a1a1a">
<div style="max-width:560px;margin:0 auto;padding:24px;border-radius:12px;background:#fff">
<p style="margin:0 0 12px">${e(words.greeting)}</p>
<p style="margin:0 0 16px">${e(sentence)}</p>
${rows.length > 0 ? `<table style="border-collapse:collapse;margin:0 0 20px;font-size:14px">${rows.join('')}</table>` : ''}
<p style="margin:0 0 20px"><a href="${e(link)}" style="display:inline-block;padding:10px 20px;border-radius:8px;background:#1457c8;color:#fff;text-decoration:none">${e(words.button)}</a></p>
<p style="margin:0;padding-top:12px;border-top:1px solid #e3e5e8;font-size:13px;color:#5c5f66">${foot.map(e).join('<br>')}</p>
</div></body></html>`
  return { subject: subjectOf(sentence, language), text, html }
}
