import type { ThemeConfig } from 'antd'
import type { Plugin, Rolldown } from 'vite'

type Chunk = Rolldown.OutputChunk

/** Components whose names do not follow from the folder in which antd keeps them. */
const named: Readonly<Record<string, readonly string[]>> = {
  grid: ['Row', 'Col'],
  message: ['message'],
  notification: ['notification'],
  'qr-code': ['QRCode'],
}

const inFolder = (folder: string): readonly string[] =>
  named[folder] ?? [folder.replace(/(^|-)(\w)/g, (_part, _dash, letter: string) => letter.toUpperCase())]

/** The components of antd whose style functions a file of the application holds. */
const componentsOf = ({ moduleIds }: Chunk): readonly string[] => {
  const folders = moduleIds.flatMap(id => /\/antd\/es\/([a-z][\w-]*)\/style\//.exec(id)?.[1] ?? [])
  return [...new Set(folders)].flatMap(inFolder)
}

/** What makes the rules that components need and no call before has answered. */
async function sheets(): Promise<(components: readonly string[]) => string> {
  const [{ createElement }, { ConfigProvider, ...antd }, { createCache, extractStyle, StyleProvider }, extract] =
    await Promise.all([
      import('react'),
      import('antd'),
      import('@ant-design/cssinjs'),
      import('@ant-design/static-style-extract'),
    ])
  const cache = createCache()
  const theme: ThemeConfig = { hashed: false }
  return components => {
    extract.extractStyle({
      includes: components.filter(name => name in antd),
      customTheme: node =>
        createElement(StyleProvider, { cache }, createElement(ConfigProvider, { theme, children: node })),
    })
    return extractStyle(cache, { plain: true, types: ['style'], once: true })
  }
}

/** All files of a build, each behind those that it imports. */
function inOrder(bundle: Rolldown.OutputBundle): readonly Chunk[] {
  const ordered = new Set<Chunk>()
  const seen = new Set<string>()
  const visit = (file: string): void => {
    const chunk = bundle[file]
    if (chunk?.type !== 'chunk' || seen.has(file)) return
    seen.add(file)
    chunk.imports.forEach(visit)
    ordered.add(chunk)
  }
  Object.keys(bundle).forEach(visit)
  return [...ordered]
}

/**
 * Writes antd's styles as sheets that travel with the files in which its components are, as antd's own tool extracts them: the
 * sheet that antd ships has those of all components and weighs a megabyte, of which a first list needs a quarter. They come
 * before the application's own sheet of the same file; in development the sheet of all is used.
 */
export const antdStyles = (): Plugin => ({
  name: 'antd-styles',
  apply: 'build',
  async generateBundle(_options, bundle) {
    const sheetOf = await sheets()
    let isEmpty = true
    for (const chunk of inOrder(bundle)) {
      const components = componentsOf(chunk)
      const source = components.length > 0 ? sheetOf(components) : ''
      const own = chunk.viteMetadata?.importedCss
      if (!source || !own) continue
      isEmpty = false
      const file = this.getFileName(this.emitFile({ type: 'asset', name: `antd-${chunk.name}.css`, source }))
      const rest = [...own]
      own.clear()
      for (const one of [file, ...rest]) own.add(one)
    }
    if (isEmpty) throw new Error('No styles were extracted: antd uses another copy of @ant-design/cssinjs.')
  },
})
