import Quill from 'quill'
import 'quill/dist/quill.snow.css'
import { type CSSProperties, useEffect, useRef } from 'react'
import { useT } from '../../platform/i18n/i18n.ts'
import type { InputProps } from './props.ts'
import { nameTools } from './quill-names.ts'
import { sanitize } from './sanitize.ts'
import './rich-text.css'

const TOOLS = [
  [{ header: [1, 2, 3, false] }],
  ['bold', 'italic', 'underline', 'strike'],
  [{ list: 'ordered' }, { list: 'bullet' }, { indent: '-1' }, { indent: '+1' }],
  [{ align: [] }],
  ['blockquote', 'link', 'clean'],
]

const EMPTY = /^(<p>(<br>)?<\/p>)*$/

/** Puts HTML into the editor without telling. */
function show(editor: Quill, html: string): void {
  // Not by pasting, which takes the focus: whoever types elsewhere when the editor comes goes on typing there.
  editor.setContents(editor.clipboard.convert({ html: sanitize(html) }), 'silent')
}

/** The quill editor, given HTML and giving HTML; an empty editor is no value. */
export default function QuillEditor({
  id,
  field,
  value,
  onChange,
  onBlur,
  disabled,
  invalid,
  describedBy,
}: InputProps<string>) {
  const t = useT()
  const place = useRef<HTMLDivElement>(null)
  const quill = useRef<Quill>(undefined)
  const now = useRef({ onChange, onBlur, value })
  now.current = { onChange, onBlur, value }
  const shown = useRef('')
  const placeholder = t('请输入')

  useEffect(() => {
    const host = place.current
    if (!host) return
    const box = host.appendChild(document.createElement('div'))
    const editor = new Quill(box, { theme: 'snow', placeholder, modules: { toolbar: TOOLS } })
    quill.current = editor
    shown.current = now.current.value ?? ''
    show(editor, shown.current)
    editor.on('text-change', () => {
      const html = editor.getSemanticHTML()
      shown.current = EMPTY.test(html) ? '' : html
      now.current.onChange(shown.current || undefined)
    })
    editor.on('selection-change', range => range === null && now.current.onBlur?.())
    return () => {
      quill.current = undefined
      host.replaceChildren()
    }
  }, [placeholder])

  useEffect(() => {
    const editor = quill.current
    // A value from outside, as of a draft that is restored. While somebody types, his own comes back, perhaps late.
    if (!editor || editor.hasFocus() || (value ?? '') === shown.current) return
    shown.current = value ?? ''
    show(editor, shown.current)
  }, [value])

  useEffect(() => {
    const editor = quill.current
    if (!editor) return
    editor.enable(!disabled)
    const { root } = editor
    if (place.current) nameTools(place.current, t)
    root.id = id ?? ''
    root.setAttribute('role', 'textbox')
    root.setAttribute('aria-multiline', 'true')
    root.setAttribute('aria-label', t(field.title))
    root.setAttribute('aria-invalid', String(Boolean(invalid)))
    if (describedBy) root.setAttribute('aria-describedby', describedBy)
  }, [disabled, id, invalid, describedBy, field.title, t])

  const words = { '--plain': `"${t('正文')}"`, '--head': `"${t('标题')}"` } as CSSProperties
  return <div className="rich-editor rich-text" ref={place} style={words} />
}
