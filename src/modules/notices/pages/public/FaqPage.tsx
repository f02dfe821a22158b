import { Input } from 'antd'
import { type ReactNode, useState } from 'react'
import { language, useT } from '../../../../platform/i18n/i18n.ts'
import { Loaded, Nothing } from '../../../../screens/candidate/Loaded.tsx'
import { useContract } from '../../../../screens/candidate/queries.ts'
import { SafeHtml } from '../../../../screens/fields/SafeHtml.tsx'
import { PublicFrame } from '../../../../screens/window/PublicFrame.tsx'
import { type NewsLine, newsInfo, newsList } from '../../contract.ts'

/** Column of the news that holds questions with their answers. */
const FAQ = '3'
/** Most questions of one page. */
const MOST = 200

function Answer({ id }: { id: string }): ReactNode {
  const t = useT()
  const answer = useContract(newsInfo, { id }, { stale: 60_000 })
  // Questions that every installation begins with have their English.
  return <Loaded query={answer}>{({ content }) => <SafeHtml html={content && t(content)} />}</Loaded>
}

/** A question; its answer is fetched when it is opened. */
function Question({ of }: { of: NewsLine }): ReactNode {
  const t = useT()
  const [opened, setOpened] = useState(false)
  return (
    <details className="my-card" onToggle={event => event.currentTarget.open && setOpened(true)}>
      <summary style={{ minHeight: 32, cursor: 'pointer', fontWeight: 500 }}>{t(of.title)}</summary>
      {opened && <Answer id={of.id} />}
    </details>
  )
}

/** In English the server cannot search, because it keeps the Chinese only: questions are found by their words. */
const fits = (title: string, words: string): boolean =>
  words
    .toLowerCase()
    .split(/\s+/)
    .every(word => title.toLowerCase().includes(word))

function Questions(): ReactNode {
  const t = useT()
  const [keyword, setKeyword] = useState('')
  const inEnglish = language() === 'en'
  const query = { current: 1, size: MOST, category: FAQ, ...(keyword && !inEnglish && { keyword }) }
  const list = useContract(newsList, query)
  return (
    <>
      <Input.Search
        allowClear
        size="large"
        style={{ marginBottom: 12 }}
        aria-label={t('查找问题')}
        placeholder={t('查找问题')}
        onSearch={text => setKeyword(text.trim())}
      />
      <Loaded query={list}>
        {({ records }) => {
          const found = inEnglish ? records.filter(one => fits(`${t(one.title)} ${one.title}`, keyword)) : records
          if (found.length === 0) return <Nothing title={t('没有找到问题，请致电公告中的咨询电话')} />
          return found.map(one => <Question key={one.id} of={one} />)
        }}
      </Loaded>
    </>
  )
}

/** Common questions with their answers, for everybody. */
export default function FaqPage(): ReactNode {
  const t = useT()
  return (
    <PublicFrame>
      <h1>{t('常见问题')}</h1>
      <Questions />
    </PublicFrame>
  )
}
