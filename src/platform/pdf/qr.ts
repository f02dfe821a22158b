import QRCode from 'qrcode'
import { ink, type Sheet } from '../workbook/sheet.ts'

/**
 * Draws a QR code (level M) as vectors with its upper left corner at a point: sharp at every size, and a kilobyte
 * where a picture would be ten. `size` in points, without the quiet zone the caller must leave around it.
 */
export function drawQr(sheet: Sheet, text: string, x: number, y: number, size: number): void {
  const { modules } = QRCode.create(text, { errorCorrectionLevel: 'M' })
  const step = size / modules.size
  sheet.save()
  for (let row = 0; row < modules.size; row++) {
    for (let col = 0; col < modules.size; col++) {
      if (!modules.get(row, col)) continue
      const begun = col
      while (col + 1 < modules.size && modules.get(row, col + 1)) col++
      sheet.rect(x + begun * step, y + row * step, (col - begun + 1) * step, step)
    }
  }
  sheet.fill(ink.black).restore()
}
