const format = new Intl.NumberFormat('en', { style: 'currency', currency: 'EUR' })

export const euros = (amount: number) => format.format(amount)
