import { Button } from 'antd'
import { type ReactNode, useState } from 'react'
import { useT } from '../../../../platform/i18n/i18n.ts'
import '../../../../screens/candidate/candidate.css'
import { Loaded, Nothing } from '../../../../screens/candidate/Loaded.tsx'
import { useContract } from '../../../../screens/candidate/queries.ts'
import { noticeList } from '../../contract.ts'
import { NoticeRows } from './NoticeRows.tsx'

/** Notices asked for at once. */
const STEP = 20

/** All notices for this person. */
export default function NoticeListPage(): ReactNode {
  const t = useT()
  const [size, setSize] = useState(STEP)
  const notices = useContract(noticeList, { current: 1, size })
  return (
    <div className="my">
      <h1>{t('通知')}</h1>
      <Loaded query={notices}>
        {({ records, total }) => (
          <>
            {records.length > 0 ? <NoticeRows of={records} /> : <Nothing title={t('还没有通知')} />}
            {Number(total) > records.length && (
              <Button size="large" block onClick={() => setSize(size + STEP)}>
                {t('显示更多')}
              </Button>
            )}
          </>
        )}
      </Loaded>
      <p>
        <a href="/public/files" target="_blank" rel="noopener">
          {t('下载专区')}
        </a>
      </p>
    </div>
  )
}
