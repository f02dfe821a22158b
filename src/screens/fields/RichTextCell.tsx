import type { CellProps } from './props.ts'
import { SafeHtml } from './SafeHtml.tsx'
import { plainText } from './sanitize.ts'

/** Text with its looks in a detail, its words alone in a line. */
export default function RichTextCell({ value, where }: CellProps) {
  return where === 'detail' ? <SafeHtml html={String(value)} /> : <span>{plainText(String(value))}</span>
}
