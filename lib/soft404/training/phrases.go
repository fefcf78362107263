package training

import "strings"

// A language has the phrases that pages are put together of.
type language struct {
	titles    []string // of error pages; also their headings
	sentences []string // that say that nothing is there
	hints     []string // what to do now
	ordinary  []string // sentences of any other page
	topics    []string // their titles and headings
	links     []string // navigation of both
}

// list parts phrases at semicolons.
func list(s string) []string {
	parts := strings.Split(strings.Join(strings.Fields(s), " "), ";")
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	return parts
}

var languages = []language{
	{
		titles: list(`404; 404 Not Found; Error 404; Page not found; Not Found; Page Not Found (404); 404 error; File not found; Oops!;
			We can't find that page; Page cannot be found; This page does not exist; 404 - Page not found; Nothing found; Page missing;
			Sorry, page not found; Content not found; Article not found; Product not found; Page unavailable; Broken link; Error: page not found;
			Not found, error 404; The page you requested was not found; No such page; Document not found; Item no longer available; HTTP 404`),
		sentences: list(`The page you are looking for could not be found.; Sorry, the page you requested does not exist.;
			The requested URL was not found on this server.; We're sorry, but the page you were looking for has been moved or deleted.;
			The page you are looking for might have been removed, had its name changed, or is temporarily unavailable.;
			It looks like nothing was found at this location.; We couldn't find the page you were looking for.;
			The link you followed may be broken, or the page may have been removed.; This page no longer exists.;
			Oops! That page can't be found.; The address may have been typed incorrectly.; The document you requested could not be found.;
			The requested page is no longer available on our site.; You may have mistyped the address.;
			The resource you are looking for has been removed.; Apologies, but the page you requested could not be found.;
			This item is no longer available.; This article has expired or been removed.; The product you are looking for is not available any more.;
			There is nothing here.; The web address you entered is not a functioning page on our site.; No page was found at that address.;
			The content you requested cannot be displayed because it does not exist.; The file you requested was not found.; That page isn't here.`),
		hints: list(`Please check the URL and try again.; Try searching for it.; Go back to the home page.; Return to the homepage;
			Please use the search box or the site map.; If you believe this is an error, please contact the webmaster.;
			Perhaps searching can help.; Use your browser's back button.; Report a broken link; Maybe try one of the links below or a search?;
			Please update your bookmarks.; Check the spelling of the address.; Take me home; Click here to go to our home page.`),
		ordinary: list(`The committee met on Tuesday to discuss the new budget for the coming year.; Our team has more than twenty years of experience in the field.;
			The river rises in the hills and flows south for 120 miles before it reaches the sea.; You can find more information about the program in the annual report.;
			She was born in 1957 and studied law at the university.; Free shipping on all orders over 50 dollars.; The results were published in the journal last month.;
			Add the butter and the sugar and stir until smooth.; Call us at 555 0142 or visit our office on Main Street.; The museum is open daily from 9 to 5.;
			This page was last updated on 12 March.; Read the full story; The company reported a loss in the second quarter.; Click here to see the photographs.;
			The bill was passed by the House and sent to the Senate.; Students who cannot attend should tell their teacher.; There is no charge for this service.;
			The lost dog was found two miles from its home.; He was looking for a job when the offer came.; We are looking for volunteers.;
			Please check the schedule for changes.; The old bridge has been removed and a new one built.; Parts of the temple no longer exist.;
			If you have questions, please contact us.; The error was corrected in the second edition.; Search our catalog for books and films.;
			Room 404 is on the fourth floor.; Prices may change without notice.; The species is not found north of the lake.; The software requires 2 GB of memory.;
			A server returns status 404 when a page is missing, and a good error page helps visitors.; Sign up for our newsletter; All rights reserved.;
			Comments are closed.; The weather will be mild with rain in the evening.; The court found that the defendant had not been informed.`),
		topics: list(`Welcome; About us; Annual report 2009; Home; News; Contact; City council minutes; Recipes; How to fix broken links; Lost and found;
			Department of Energy; The history of the railway; Privacy policy; Gallery; Products; Upcoming events; Frequently asked questions; Summer program;
			Search results; Press release; Biography; Weather; Custom error pages in Apache; Log in; Site map; Sports; Job openings; Publications`),
		links: list(`Home; About; Contact; News; Products; Services; Site map; Search; Help; Login; Privacy; Terms of use; Blog; Events; Careers; FAQ; Press; Archive; Support; Twitter; Facebook`),
	},
	{
		titles:    list(`Página no encontrada; Error 404; 404: no encontrado; No se encontró la página; La página no existe; Contenido no disponible`),
		sentences: list(`La página que busca no existe.; Lo sentimos, la página solicitada no se ha encontrado.; La página que estás buscando ha sido eliminada o ha cambiado de dirección.; El enlace que ha seguido puede estar roto.; No hemos podido encontrar la página.; El contenido que busca ya no está disponible.`),
		hints:     list(`Vuelva a la página de inicio.; Compruebe la dirección e inténtelo de nuevo.; Utilice el buscador.; Volver al inicio`),
		ordinary:  list(`El ayuntamiento aprobó el nuevo presupuesto para el año que viene.; La empresa busca personal con experiencia.; El museo está abierto de martes a domingo.; Los resultados se publicaron en la página de la universidad.; Añada el azúcar y mezcle bien.; Nació en 1957 y estudió derecho.; No se encontró petróleo en la zona.; Puede consultar más información en nuestra oficina.; El río nace en la montaña.; Llame al 555 0142.`),
		topics:    list(`Inicio; Quiénes somos; Noticias; Historia de la ciudad; Recetas; Calendario de eventos; Resultados; Aviso legal`),
		links:     list(`Inicio; Contacto; Noticias; Servicios; Buscar; Mapa del sitio; Aviso legal; Acceso; Ayuda`),
	},
	{
		titles:    list(`Page non trouvée; Erreur 404; Page introuvable; 404 : page introuvable; Cette page n'existe pas; Document introuvable`),
		sentences: list(`La page que vous recherchez n'existe pas.; Désolé, la page demandée est introuvable.; La page que vous cherchez a été déplacée ou supprimée.; Le lien que vous avez suivi est peut-être rompu.; Nous n'avons pas trouvé la page demandée.; Ce contenu n'est plus disponible.`),
		hints:     list(`Retour à l'accueil; Vérifiez l'adresse et réessayez.; Utilisez le moteur de recherche.; Revenir à la page d'accueil`),
		ordinary:  list(`Le conseil municipal a voté le budget de l'année prochaine.; La société recherche des ingénieurs.; Le musée est ouvert tous les jours sauf le lundi.; Les résultats ont été publiés sur la page du ministère.; Ajoutez le sucre et mélangez.; Elle est née en 1957 et a étudié le droit.; Aucune trace n'a été trouvée sur place.; Pour en savoir plus, consultez notre brochure.; Le fleuve prend sa source dans les Alpes.; Appelez le 01 55 01 42.`),
		topics:    list(`Accueil; Qui sommes-nous; Actualités; Histoire de la ville; Recettes; Agenda; Résultats; Mentions légales`),
		links:     list(`Accueil; Contact; Actualités; Services; Recherche; Plan du site; Mentions légales; Connexion; Aide`),
	},
	{
		titles:    list(`Seite nicht gefunden; Fehler 404; 404 – Seite nicht gefunden; Die Seite existiert nicht; Nicht gefunden; Seite nicht verfügbar`),
		sentences: list(`Die gesuchte Seite existiert nicht.; Leider konnte die angeforderte Seite nicht gefunden werden.; Die Seite wurde verschoben oder gelöscht.; Der Link ist möglicherweise veraltet.; Die von Ihnen aufgerufene Seite ist nicht mehr vorhanden.; Dieser Artikel ist nicht mehr verfügbar.`),
		hints:     list(`Zur Startseite; Bitte überprüfen Sie die Adresse.; Nutzen Sie die Suche.; Zurück zur Startseite`),
		ordinary:  list(`Der Gemeinderat hat den Haushalt für das kommende Jahr beschlossen.; Das Unternehmen sucht erfahrene Mitarbeiter.; Das Museum ist täglich außer montags geöffnet.; Die Ergebnisse wurden auf der Seite der Universität veröffentlicht.; Zucker zugeben und gut verrühren.; Sie wurde 1957 geboren und studierte Jura.; Spuren wurden nicht gefunden.; Weitere Informationen finden Sie in unserer Broschüre.; Der Fluss entspringt im Schwarzwald.; Rufen Sie uns an: 555 0142.`),
		topics:    list(`Startseite; Über uns; Aktuelles; Geschichte der Stadt; Rezepte; Veranstaltungen; Ergebnisse; Impressum`),
		links:     list(`Startseite; Kontakt; Aktuelles; Leistungen; Suche; Sitemap; Impressum; Anmelden; Hilfe`),
	},
	{
		titles:    list(`Página não encontrada; Erro 404; 404 - não encontrado; A página não existe; Conteúdo não encontrado`),
		sentences: list(`A página que você procura não existe.; Desculpe, a página solicitada não foi encontrada.; A página foi removida ou mudou de endereço.; O link pode estar quebrado.; Não foi possível encontrar a página.; Este conteúdo não está mais disponível.`),
		hints:     list(`Voltar para a página inicial; Verifique o endereço e tente novamente.; Use a busca do site.`),
		ordinary:  list(`A câmara aprovou o orçamento para o próximo ano.; A empresa procura profissionais com experiência.; O museu abre de terça a domingo.; Os resultados foram publicados na página da universidade.; Adicione o açúcar e misture bem.; Nasceu em 1957 e estudou direito.; Não foram encontrados vestígios.; Saiba mais em nosso escritório.; O rio nasce na serra.; Ligue para 555 0142.`),
		topics:    list(`Início; Quem somos; Notícias; História da cidade; Receitas; Agenda; Resultados`),
		links:     list(`Início; Contato; Notícias; Serviços; Busca; Mapa do site; Entrar; Ajuda`),
	},
	{
		titles:    list(`Pagina non trovata; Errore 404; 404: pagina non trovata; La pagina non esiste; Contenuto non disponibile`),
		sentences: list(`La pagina che stai cercando non esiste.; Spiacenti, la pagina richiesta non è stata trovata.; La pagina è stata spostata o rimossa.; Il collegamento potrebbe essere errato.; Impossibile trovare la pagina.; Il contenuto non è più disponibile.`),
		hints:     list(`Torna alla home page; Controlla l'indirizzo e riprova.; Usa la ricerca.`),
		ordinary:  list(`Il consiglio comunale ha approvato il bilancio per il prossimo anno.; L'azienda cerca personale con esperienza.; Il museo è aperto tutti i giorni tranne il lunedì.; I risultati sono stati pubblicati sulla pagina dell'università.; Aggiungere lo zucchero e mescolare.; È nata nel 1957 e ha studiato legge.; Non sono state trovate tracce.; Per maggiori informazioni rivolgersi all'ufficio.; Il fiume nasce sulle Alpi.`),
		topics:    list(`Home; Chi siamo; Notizie; Storia della città; Ricette; Eventi; Risultati`),
		links:     list(`Home; Contatti; Notizie; Servizi; Cerca; Mappa del sito; Accedi; Aiuto`),
	},
	{
		titles:    list(`Pagina niet gevonden; Fout 404; 404 - niet gevonden; Deze pagina bestaat niet`),
		sentences: list(`De pagina die u zoekt bestaat niet.; Sorry, de opgevraagde pagina kon niet worden gevonden.; De pagina is verplaatst of verwijderd.; Deze pagina is niet meer beschikbaar.; De link werkt mogelijk niet meer.`),
		hints:     list(`Terug naar de startpagina; Controleer het adres.; Gebruik de zoekfunctie.`),
		ordinary:  list(`De gemeenteraad heeft de begroting voor volgend jaar vastgesteld.; Het bedrijf zoekt ervaren medewerkers.; Het museum is dagelijks geopend.; De resultaten staan op de pagina van de universiteit.; Voeg de suiker toe en roer goed.; Zij werd geboren in 1957.; Er werden geen sporen gevonden.; Meer informatie vindt u in de folder.`),
		topics:    list(`Home; Over ons; Nieuws; Geschiedenis van de stad; Recepten; Agenda`),
		links:     list(`Home; Contact; Nieuws; Diensten; Zoeken; Inloggen; Help`),
	},
	{
		titles:    list(`Nie znaleziono strony; Błąd 404; Strona nie istnieje; 404: nie znaleziono`),
		sentences: list(`Strona, której szukasz, nie istnieje.; Przepraszamy, nie znaleziono żądanej strony.; Strona została przeniesiona lub usunięta.; Podany adres jest nieprawidłowy.; Ta treść nie jest już dostępna.`),
		hints:     list(`Wróć do strony głównej; Sprawdź adres i spróbuj ponownie.; Skorzystaj z wyszukiwarki.`),
		ordinary:  list(`Rada miasta przyjęła budżet na przyszły rok.; Firma poszukuje doświadczonych pracowników.; Muzeum jest czynne codziennie.; Wyniki opublikowano na stronie uniwersytetu.; Dodać cukier i wymieszać.; Urodziła się w 1957 roku.; Nie znaleziono śladów.; Więcej informacji w biurze.`),
		topics:    list(`Strona główna; O nas; Aktualności; Historia miasta; Przepisy; Wydarzenia`),
		links:     list(`Strona główna; Kontakt; Aktualności; Usługi; Szukaj; Mapa strony; Zaloguj; Pomoc`),
	},
	{
		titles:    list(`Страница не найдена; Ошибка 404; 404: страница не найдена; Такой страницы нет`),
		sentences: list(`Запрашиваемая страница не найдена.; К сожалению, такой страницы не существует.; Страница была удалена или перемещена.; Возможно, вы ошиблись в адресе.; Материал больше не доступен.`),
		hints:     list(`Вернуться на главную; Проверьте адрес страницы.; Воспользуйтесь поиском.`),
		ordinary:  list(`Городской совет утвердил бюджет на следующий год.; Компания ищет опытных сотрудников.; Музей открыт ежедневно.; Результаты опубликованы на странице университета.; Добавьте сахар и перемешайте.; Она родилась в 1957 году.; Следов не найдено.; Подробности в нашем офисе.`),
		topics:    list(`Главная; О нас; Новости; История города; Рецепты; События`),
		links:     list(`Главная; Контакты; Новости; Услуги; Поиск; Карта сайта; Вход; Помощь`),
	},
	{
		titles:    list(`Sidan hittades inte; Fel 404; Sidan kunde inte hittas; Sidan finns inte`),
		sentences: list(`Sidan du söker finns inte.; Tyvärr kunde sidan inte hittas.; Sidan kan ha flyttats eller tagits bort.; Länken kan vara felaktig.; Innehållet är inte längre tillgängligt.`),
		hints:     list(`Till startsidan; Kontrollera adressen.; Använd sökfunktionen.`),
		ordinary:  list(`Kommunfullmäktige antog budgeten för nästa år.; Företaget söker erfarna medarbetare.; Museet är öppet alla dagar.; Resultaten finns på universitetets sida.; Tillsätt socker och rör om.; Hon föddes 1957.; Inga spår hittades.; Mer information finns i broschyren.`),
		topics:    list(`Hem; Om oss; Nyheter; Stadens historia; Recept; Evenemang`),
		links:     list(`Hem; Kontakt; Nyheter; Tjänster; Sök; Logga in; Hjälp`),
	},
	{
		titles:    list(`Stránka nenalezena; Chyba 404; Stránka neexistuje; 404: nenalezeno`),
		sentences: list(`Hledaná stránka neexistuje.; Omlouváme se, požadovaná stránka nebyla nalezena.; Stránka byla přesunuta nebo smazána.; Odkaz může být neplatný.; Tento obsah již není k dispozici.`),
		hints:     list(`Zpět na úvodní stránku; Zkontrolujte adresu.; Použijte vyhledávání.`),
		ordinary:  list(`Zastupitelstvo schválilo rozpočet na příští rok.; Firma hledá zkušené pracovníky.; Muzeum je otevřeno denně.; Výsledky jsou na stránce univerzity.; Přidejte cukr a promíchejte.; Narodila se v roce 1957.; Stopy nebyly nalezeny.; Více informací v kanceláři.`),
		topics:    list(`Úvod; O nás; Aktuality; Historie města; Recepty; Akce`),
		links:     list(`Úvod; Kontakt; Aktuality; Služby; Hledat; Mapa stránek; Přihlásit; Nápověda`),
	},
	{
		titles:    list(`Sayfa bulunamadı; Hata 404; 404: sayfa bulunamadı; Böyle bir sayfa yok`),
		sentences: list(`Aradığınız sayfa bulunamadı.; Üzgünüz, istediğiniz sayfa mevcut değil.; Sayfa taşınmış veya silinmiş olabilir.; Adresi yanlış yazmış olabilirsiniz.; Bu içerik artık mevcut değil.`),
		hints:     list(`Ana sayfaya dön; Adresi kontrol edin.; Arama kutusunu kullanın.`),
		ordinary:  list(`Belediye meclisi gelecek yılın bütçesini kabul etti.; Şirket deneyimli çalışanlar arıyor.; Müze her gün açıktır.; Sonuçlar üniversitenin sayfasında yayımlandı.; Şekeri ekleyin ve karıştırın.; 1957 yılında doğdu.; İz bulunamadı.; Daha fazla bilgi için bize ulaşın.`),
		topics:    list(`Ana sayfa; Hakkımızda; Haberler; Kentin tarihi; Tarifler; Etkinlikler`),
		links:     list(`Ana sayfa; İletişim; Haberler; Hizmetler; Ara; Giriş; Yardım`),
	},
	{
		titles:    list(`页面不存在; 404 错误; 找不到页面; 页面未找到; 404 页面不存在`),
		sentences: list(`抱歉,您访问的页面不存在。; 您要查找的页面已被删除或移动。; 找不到您请求的页面。; 您输入的网址有误。; 该内容已不存在。`),
		hints:     list(`返回首页; 请检查网址是否正确。; 请使用搜索。`),
		ordinary:  list(`市议会通过了明年的预算。; 公司招聘有经验的员工。; 博物馆每天开放。; 结果发表在大学的页面上。; 加入糖并搅拌均匀。; 她生于1957年。; 没有找到任何痕迹。; 更多信息请联系我们。`),
		topics:    list(`首页; 关于我们; 新闻; 城市历史; 食谱; 活动`),
		links:     list(`首页; 联系我们; 新闻; 服务; 搜索; 网站地图; 登录; 帮助`),
	},
	{
		titles:    list(`ページが見つかりません; 404 エラー; お探しのページは見つかりませんでした; ページが存在しません`),
		sentences: list(`お探しのページは見つかりませんでした。; ご指定のページは存在しません。; ページが移動または削除された可能性があります。; URLが間違っている可能性があります。; このコンテンツは公開を終了しました。`),
		hints:     list(`トップページへ戻る; URLをご確認ください。; 検索をご利用ください。`),
		ordinary:  list(`市議会は来年度の予算を可決した。; 会社は経験のある社員を募集しています。; 博物館は毎日開いています。; 結果は大学のページに掲載された。; 砂糖を加えてよく混ぜます。; 彼女は1957年に生まれた。; 痕跡は見つかっていない。; 詳しくはお問い合わせください。`),
		topics:    list(`ホーム; 会社概要; ニュース; 市の歴史; レシピ; イベント`),
		links:     list(`ホーム; お問い合わせ; ニュース; サービス; 検索; サイトマップ; ログイン; ヘルプ`),
	},
}
