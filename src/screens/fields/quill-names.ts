/** What the tools of the editor are called: by format, and by format and value where there are several. */
const NAMES: Readonly<Record<string, string>> = {
  header: '标题级别',
  'header 1': '一级标题',
  'header 2': '二级标题',
  'header 3': '三级标题',
  'header ': '正文',
  bold: '加粗',
  italic: '斜体',
  underline: '下划线',
  strike: '删除线',
  'list ordered': '编号列表',
  'list bullet': '项目列表',
  'indent -1': '减少缩进',
  'indent +1': '增加缩进',
  align: '对齐方式',
  'align ': '左对齐',
  'align center': '居中',
  'align right': '右对齐',
  'align justify': '两端对齐',
  blockquote: '引文',
  link: '链接',
  clean: '清除格式',
}

const formatOf = (tool: Element): string => /ql-(?!picker|icon-picker)(\w+)/.exec(tool.className)?.[1] ?? ''

/** Names the tools above an editor, which are signs without words. `t` gives the language in use. */
export function nameTools(host: Element, t: (text: string) => string): void {
  for (const tool of host.querySelectorAll('.ql-toolbar button, .ql-picker-label, .ql-picker-item')) {
    const format = formatOf(tool.closest('.ql-picker') ?? tool)
    const value = tool.getAttribute('value') ?? tool.getAttribute('data-value') ?? ''
    const isOne = tool.matches('.ql-picker-item')
    const name = NAMES[isOne || value ? `${format} ${value}` : format] ?? NAMES[format]
    if (!name) continue
    tool.setAttribute('aria-label', t(name))
    tool.setAttribute('title', t(name))
  }
}
