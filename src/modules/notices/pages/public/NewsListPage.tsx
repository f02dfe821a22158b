import { type ReactNode, useState } from 'react'
import { Link } from 'react-router-dom'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { Loaded, Nothing } from '../../../../screens/candidate/Loaded.tsx'
import { useContract } from '../../../../screens/candidate/queries.ts'
import { dayText } from '../../../../screens/candidate/times.ts'
import { PublicFrame } from '../../../../screens/window/PublicFrame.tsx'
import { type NewsLine, newsList } from '../../contract.ts'
import { Categories } from './Categories.tsx'
import { More } from './More.tsx'

/** News asked for at once. */
const STEP = 20

function Rows({ news }: { news: readonly NewsLine[] }): ReactNode {
  const t = useT()
  if (news.length === 0) return <Nothing title={t('还没有新闻')} />
  return (
    <ul className="my-rows">
      {news.map(one => (
        <li key={one.id}>
          <Link to={`/public/news/${one.id}`}>
            <span>
              {one.isTop === 1 && <b>{t('［置顶］')}</b>}
              {one.title}
            </span>
            <time>{dayText(one.releaseTime)}</time>
          </Link>
        </li>
      ))}
    </ul>
  )
}

function NewsList(): ReactNode {
  const [category, setCategory] = useState('')
  const [size, setSize] = useState(STEP)
  const list = useContract(newsList, { current: 1, size, ...(category && { category }) })
  return (
    <Loaded query={list}>
      {({ records, total, categories }) => (
        <>
          <Categories categories={categories} value={category} onChange={setCategory} />
          <Rows news={records} />
          <More shown={records.length} total={total} onMore={() => setSize(size + STEP)} />
        </>
      )}
    </Loaded>
  )
}

/** News for everybody. */
export default function NewsListPage(): ReactNode {
  const t = useT()
  return (
    <PublicFrame>
      <h1>{t('新闻资讯')}</h1>
      <NewsList />
    </PublicFrame>
  )
}
