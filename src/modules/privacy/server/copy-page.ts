import { wireTime } from '../../../platform/http/server/wire.ts'
import type { Look } from './looks.ts'
import type { KindOfData } from './plan.ts'

/** The rows of one kind as they go into a copy. */
export interface CopiedKind {
  readonly kind: KindOfData
  readonly fields: readonly { readonly name: string; readonly title: string }[]
  /** As the wire has them. */
  readonly data: readonly Readonly<Record<string, unknown>>[]
  /** As people read them, in the order of the fields. */
  readonly shown: readonly (readonly string[])[]
}

/** What the page of a copy shows. */
interface Copy {
  readonly kinds: readonly CopiedKind[]
  readonly looks: readonly Look[]
  readonly files: readonly { readonly path: string; readonly originalName: string; readonly contentType: string }[]
  readonly say: (text: string) => string
  readonly language: 'zh' | 'en'
  readonly now: Date
}

const signs: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** A text in HTML. */
const escaped = (text: string): string => text.replace(/[&<>"']/g, sign => signs[sign] ?? sign)

const style = `body{font:16px/1.6 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1f1f1f;background:#fff}
h2{margin-top:2.5rem}p{margin:.3rem 0}small,.quiet{color:#595959}table{border-collapse:collapse;width:100%;margin:.8rem 0}
th,td{border:1px solid #d9d9d9;padding:.3rem .6rem;text-align:left;vertical-align:top;overflow-wrap:anywhere}th{width:11rem;background:#fafafa;font-weight:500}
img{max-width:12rem;max-height:12rem}
@media(prefers-color-scheme:dark){body{color:#e6e6e6;background:#141414}small,.quiet{color:#a6a6a6}th{background:#1f1f1f}th,td{border-color:#424242}}
@media print{h2{break-after:avoid}tr{break-inside:avoid}}`

/** The page of a copy: everything in it is readable without a script and without a network. */
export function copyPage({ kinds, looks, files, say, language, now }: Copy): string {
  const t = (text: string) => escaped(say(text))
  const parts = kinds.map(({ kind, fields, shown }) => {
    const rows = shown.map(values => {
      const lines = fields.flatMap(({ title }, i) =>
        values[i] ? [`<tr><th scope="row">${t(title)}</th><td>${escaped(values[i] ?? '')}</td></tr>`] : [],
      )
      return `<table>${lines.join('')}</table>`
    })
    return `<section><h2>${t(kind.title)} <small>${kind.count}</small></h2>
<p class="quiet">${t('用途')}：${t(kind.purpose)}</p><p class="quiet">${t('依据')}：${t(kind.keep.ground)}</p>
${rows.join('\n')}</section>`
  })
  const looked = looks.map(
    one =>
      `<tr><td>${wireTime(one.time)}</td><td>${escaped([one.dept, one.role, one.name].filter(Boolean).join(' · '))}</td><td>${escaped(one.reason)}</td></tr>`,
  )
  const papers = files.map(({ path, originalName, contentType }) => {
    const address = escaped(path.split('/').map(encodeURIComponent).join('/'))
    const picture = contentType.startsWith('image/') ? `<br><img src="${address}" alt="">` : ''
    return `<li><a href="${address}">${escaped(originalName)}</a>${picture}</li>`
  })
  return `<!doctype html>
<html lang="${language === 'en' ? 'en' : 'zh-CN'}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${t('我的数据')}</title><style>${style}</style></head><body>
<h1>${t('我的数据')}</h1><p class="quiet">${t('导出时间')} ${wireTime(now)}</p>
${parts.join('\n')}
<section><h2>${t('谁看过我的号码')}</h2><table>${looked.join('')}</table></section>
<section><h2>${t('文件')}</h2><ul>${papers.join('\n')}</ul></section>
</body></html>`
}
