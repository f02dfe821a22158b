import { PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useState } from 'react'
import { callOf } from '#engine'
import { dataScope } from '#resources/system/data-scope'
import ListScreen from '../../../../screens/ListScreen.tsx'
import { useMay } from '../../../../screens/may.ts'
import { useEndpoint } from '../../../../screens/parts/use-endpoint.ts'
import { useT } from '../../../i18n/i18n.ts'
import { RuleDialog } from './RuleDialog.tsx'

/** The generated list; adding and changing is done in a dialog that builds the rule. */
const listed = { ...dataScope, can: dataScope.can.filter(one => one !== 'add' && one !== 'edit') }

function EditDialog({ id, onClose, onDone }: { id: string; onClose: () => void; onDone: () => void }) {
  const found = useEndpoint(callOf(dataScope, 'detail'), { id })
  // What was read before the dialog opened may be old.
  return found.data && !found.isFetching ? <RuleDialog row={found.data} onClose={onClose} onDone={onDone} /> : null
}

/** Data scopes: rules that roles carry about which rows their people see. */
export default function DataScopePage() {
  const t = useT()
  const may = useMay(dataScope)
  const [opened, setOpened] = useState<{ id?: string; reload: () => void }>()
  const close = () => setOpened(undefined)
  const done = () => {
    opened?.reload()
    close()
  }
  return (
    <>
      <ListScreen
        resource={listed}
        slots={{
          toolbar: ({ reload }) =>
            may('add') && (
              <Button type="primary" icon={<PlusOutlined aria-hidden />} onClick={() => setOpened({ reload })}>
                {t('新增')}
              </Button>
            ),
          rowButtons: (row, reload) =>
            may('edit') ? [{ key: 'edit', label: '编辑', run: () => setOpened({ id: String(row.id), reload }) }] : [],
        }}
      />
      {opened &&
        (opened.id ? (
          <EditDialog id={opened.id} onClose={close} onDone={done} />
        ) : (
          <RuleDialog row={null} onClose={close} onDone={done} />
        ))}
    </>
  )
}
