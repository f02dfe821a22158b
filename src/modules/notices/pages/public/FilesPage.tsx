import { Input } from 'antd'
import { type ReactNode, useState } from 'react'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { Loaded, Nothing } from '../../../../screens/candidate/Loaded.tsx'
import { useContract } from '../../../../screens/candidate/queries.ts'
import { PublicFrame } from '../../../../screens/window/PublicFrame.tsx'
import { type OpenFile, publicFiles } from '../../contract.ts'
import { sizeText } from '../size-text.ts'
import { Categories } from './Categories.tsx'
import { More } from './More.tsx'

/** Files asked for at once. */
const STEP = 50

function Rows({ files }: { files: readonly OpenFile[] }): ReactNode {
  const t = useT()
  if (files.length === 0) return <Nothing title={t('没有可下载的文件')} />
  return (
    <ul className="my-rows">
      {files.map(one => (
        <li key={one.id}>
          <a href={`/api/public/download?id=${one.attachId}`} download={`${one.fileName}.${one.ext}`}>
            <span>
              {one.fileName}
              <small>
                {' '}
                {one.ext.toUpperCase()} {sizeText(one.fileSize)}
              </small>
            </span>
            <span className="my-quiet" style={{ whiteSpace: 'nowrap' }}>
              {t('下载 {{n}} 次', { n: Number(one.downNum) })}
            </span>
          </a>
        </li>
      ))}
    </ul>
  )
}

function FileList(): ReactNode {
  const t = useT()
  const [category, setCategory] = useState('')
  const [keyword, setKeyword] = useState('')
  const [size, setSize] = useState(STEP)
  const query = { current: 1, size, ...(category && { category }), ...(keyword && { keyword }) }
  const list = useContract(publicFiles, query)
  return (
    <>
      <Input.Search
        allowClear
        size="large"
        style={{ marginBottom: 12 }}
        aria-label={t('查找文件')}
        placeholder={t('查找文件')}
        onSearch={text => setKeyword(text.trim())}
      />
      <Loaded query={list}>
        {({ records, total, categories }) => (
          <>
            <Categories categories={categories} value={category} onChange={setCategory} />
            <Rows files={records} />
            <More shown={records.length} total={total} onMore={() => setSize(size + STEP)} />
          </>
        )}
      </Loaded>
    </>
  )
}

/** Forms and manuals for everybody to download. */
export default function FilesPage(): ReactNode {
  const t = useT()
  return (
    <PublicFrame>
      <h1>{t('下载专区')}</h1>
      <FileList />
    </PublicFrame>
  )
}
