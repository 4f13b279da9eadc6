/** Indonesian: abbreviations and sentence starters. Clitics (`rumahnya`) are part of their word. */

import { defineLanguage, type Language } from "./language.js";

export const indonesian: Language = defineLanguage({
  code: "id",
  name: "Indonesian",
  abbreviations: {
    open: `Tn Ny Nn Sdr Sdri Bpk Ir Drs Dra drg H Hj K.H R.A R.Ng a.n u.p d.a s.d a.l tgl Jl Jln Gg Kec Kab
      Kel Ds Kol Letkol Letjen Mayjen Brigjen Jend Kapt Kompol Ipda Iptu w.k`,
    either: `S.H M.H S.E M.M S.Pd M.Pd S.Kom M.Kom S.T M.T S.Si M.Si S.Sos M.Sc M.Hum M.Kes S.Ag M.Ag Tbk SWT SAW
      S.I.P S.S M.B.A a.s r.a`,
    numbered: "hlm hal jil Jan Feb Mar Apr Jun Jul Agu Ags Agt Sep Sept Okt Nov Des Pk ay",
    closed: "dll dst dsb dkk tsb",
  },
  starters: `ini itu dia ia mereka kami kita saya aku anda kamu beliau para sang si di ke dari pada dalam dengan
    untuk oleh sebagai karena jika kalau apabila bila ketika saat setelah sesudah sebelum sejak sampai hingga
    meskipun walaupun meski namun tetapi tapi dan atau serta bahkan selain menurut seperti semua seluruh banyak
    beberapa setiap tiap tidak bukan belum jangan ada adalah akan telah sudah juga kemudian lalu selanjutnya
    sementara sedangkan padahal sehingga maka apa apakah siapa mengapa bagaimana kapan hal antara tanpa atas bagi
    terhadap tentang agar supaya selama sekarang kini dahulu akhirnya oleh sebab begitu demikian salah satu`,
  decimalComma: true,
});
