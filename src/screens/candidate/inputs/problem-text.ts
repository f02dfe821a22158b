type Words = (text: string, vars?: Record<string, unknown>) => string

/** Sentences of the form's check that carry a name or a number, with the text they are translated by. */
const shapes: readonly (readonly [RegExp, string])[] = [
  [/^请输入(?<what>.+)$/, '请输入{{what}}'],
  [/^请选择完整的(?<what>.+)$/, '请选择完整的{{what}}'],
  [/^请选择(?<what>.+)$/, '请选择{{what}}'],
  [/^请上传(?<what>.+)$/, '请上传{{what}}'],
  [/^(?<what>.+)格式不正确$/, '{{what}}格式不正确'],
  [/^(?<what>.+)不是有效的日期$/, '{{what}}不是有效的日期'],
  [/^(?<what>.+)不在可选范围内$/, '{{what}}不在可选范围内'],
  [/^(?<what>.+)应为数字$/, '{{what}}应为数字'],
  [/^(?<what>.+)不能超过(?<n>\d+)个字$/, '{{what}}不能超过{{n}}个字'],
  [/^(?<what>.+)至少填写(?<n>\d+)条$/, '{{what}}至少填写{{n}}条'],
  [/^(?<what>.+)最多填写(?<n>\d+)条$/, '{{what}}最多填写{{n}}条'],
  [/^(?<what>.+)至少上传(?<n>\d+)份$/, '{{what}}至少上传{{n}}份'],
  [/^(?<what>.+)最多上传(?<n>\d+)份$/, '{{what}}最多上传{{n}}份'],
]

const ROW = /^第(\d+)条：(.+)$/

/** What is wrong, in the language in use. The check writes Chinese sentences around the names of fields. */
export function problemText(message: string, t: Words): string {
  const row = ROW.exec(message)
  if (row) return t('第{{n}}条：{{what}}', { n: row[1], what: problemText(row[2] ?? '', t) })
  for (const [shape, text] of shapes) {
    const { what = '', n } = shape.exec(message)?.groups ?? {}
    if (what) return t(text, { what: t(what), n })
  }
  return t(message)
}
