(define (problem strange_2)
(:domain alfred)
(:objects
    agent1 - agent
    loc_bar_minus_0_bar_4 - location
    loc_bar_minus_1_bar_5 - location
    loc_bar_minus_2_bar_4 - location
    loc_bar_3_bar_2 - location
    Shelf_bar__minus_30_dot_61_bar__minus_21_dot_32 - receptacle
    Fridge_bar__plus_58_dot_73_bar__plus_09_dot_93 - receptacle
    Microwave_bar__minus_91_dot_25_bar__minus_81_dot_57 - receptacle
    Cloth_bar__minus_10_dot_51_bar__minus_82_dot_60 - object
    Apple_bar__plus_69_dot_08_bar__plus_10_dot_74 - object
    ButterKnife_bar__minus_07_dot_51_bar__plus_71_dot_72 - object
    Curtains_bar__minus_77_dot_96_bar__plus_11_dot_52 - object
    FloorLamp_bar__minus_99_dot_43_bar__plus_09_dot_45 - object
    Bread_bar__plus_61_dot_34_bar__minus_09_dot_84 - object
    DeskLamp_bar__minus_49_dot_14_bar__minus_63_dot_14 - object
    Bowl_bar__minus_83_dot_91_bar__plus_76_dot_84 - object
    Egg_bar__minus_94_dot_40_bar__plus_07_dot_68 - object
    Box_bar__minus_16_dot_73_bar__plus_44_dot_12 - object
    AppleType - otype
    BowlType - otype
    BoxType - otype
    BreadType - otype
    ButterKnifeType - otype
    ClothType - otype
    CurtainsType - otype
    DeskLampType - otype
    EggType - otype
    FloorLampType - otype
    FridgeType - rtype
    MicrowaveType - rtype
    ShelfType - rtype
    Window - object)
(:init
    (atLocation agent1 loc_bar_minus_0_bar_4)
    (canContain FridgeType AppleType)
    (canContain FridgeType BoxType)
    (canContain FridgeType BreadType)
    (canContain FridgeType ButterKnifeType)
    (canContain FridgeType ClothType)
    (canContain FridgeType CurtainsType)
    (canContain FridgeType EggType)
    (canContain FridgeType FloorLampType)
    (canContain MicrowaveType AppleType)
    (canContain MicrowaveType BoxType)
    (canContain MicrowaveType BreadType)
    (canContain MicrowaveType ButterKnifeType)
    (canContain MicrowaveType ClothType)
    (canContain MicrowaveType CurtainsType)
    (canContain MicrowaveType DeskLampType)
    (canContain MicrowaveType EggType)
    (canContain MicrowaveType FloorLampType)
    (canContain ShelfType AppleType)
    (canContain ShelfType BowlType)
    (canContain ShelfType BoxType)
    (canContain ShelfType BreadType)
    (canContain ShelfType ClothType)
    (canContain ShelfType CurtainsType)
    (canContain ShelfType EggType)
    (receptacleAtLocation Shelf_bar__minus_30_dot_61_bar__minus_21_dot_32 loc_bar_minus_1_bar_5)
    (receptacleType Shelf_bar__minus_30_dot_61_bar__minus_21_dot_32 ShelfType)
    (receptacleAtLocation Fridge_bar__plus_58_dot_73_bar__plus_09_dot_93 loc_bar_minus_0_bar_4)
    (receptacleType Fridge_bar__plus_58_dot_73_bar__plus_09_dot_93 FridgeType)
    (openable Fridge_bar__plus_58_dot_73_bar__plus_09_dot_93)
    (receptacleAtLocation Microwave_bar__minus_91_dot_25_bar__minus_81_dot_57 loc_bar_minus_0_bar_4)
    (receptacleType Microwave_bar__minus_91_dot_25_bar__minus_81_dot_57 MicrowaveType)
    (openable Microwave_bar__minus_91_dot_25_bar__minus_81_dot_57)
    (objectType Cloth_bar__minus_10_dot_51_bar__minus_82_dot_60 ClothType)
    (inReceptacle Cloth_bar__minus_10_dot_51_bar__minus_82_dot_60 Microwave_bar__minus_91_dot_25_bar__minus_81_dot_57)
    (inReceptacle Cloth_bar__minus_10_dot_51_bar__minus_82_dot_60 Shelf_bar__minus_30_dot_61_bar__minus_21_dot_32)
    (objectAtLocation Cloth_bar__minus_10_dot_51_bar__minus_82_dot_60 loc_bar_3_bar_2)
    (pickupable Cloth_bar__minus_10_dot_51_bar__minus_82_dot_60)
    (cleanable Cloth_bar__minus_10_dot_51_bar__minus_82_dot_60)
    (coolable Cloth_bar__minus_10_dot_51_bar__minus_82_dot_60)
    (sliceable Cloth_bar__minus_10_dot_51_bar__minus_82_dot_60)
    (toggleable Cloth_bar__minus_10_dot_51_bar__minus_82_dot_60)
    (objectType Apple_bar__plus_69_dot_08_bar__plus_10_dot_74 AppleType)
    (inReceptacle Apple_bar__plus_69_dot_08_bar__plus_10_dot_74 Shelf_bar__minus_30_dot_61_bar__minus_21_dot_32)
    (objectAtLocation Apple_bar__plus_69_dot_08_bar__plus_10_dot_74 loc_bar_3_bar_2)
    (objectAtLocation Apple_bar__plus_69_dot_08_bar__plus_10_dot_74 loc_bar_minus_0_bar_4)
    (pickupable Apple_bar__plus_69_dot_08_bar__plus_10_dot_74)
    (coolable Apple_bar__plus_69_dot_08_bar__plus_10_dot_74)
    (sliceable Apple_bar__plus_69_dot_08_bar__plus_10_dot_74)
    (toggleable Apple_bar__plus_69_dot_08_bar__plus_10_dot_74)
    (objectType ButterKnife_bar__minus_07_dot_51_bar__plus_71_dot_72 ButterKnifeType)
    (inReceptacle ButterKnife_bar__minus_07_dot_51_bar__plus_71_dot_72 Microwave_bar__minus_91_dot_25_bar__minus_81_dot_57)
    (objectAtLocation ButterKnife_bar__minus_07_dot_51_bar__plus_71_dot_72 loc_bar_minus_0_bar_4)
    (objectAtLocation ButterKnife_bar__minus_07_dot_51_bar__plus_71_dot_72 loc_bar_3_bar_2)
    (pickupable ButterKnife_bar__minus_07_dot_51_bar__plus_71_dot_72)
    (cleanable ButterKnife_bar__minus_07_dot_51_bar__plus_71_dot_72)
    (heatable ButterKnife_bar__minus_07_dot_51_bar__plus_71_dot_72)
    (coolable ButterKnife_bar__minus_07_dot_51_bar__plus_71_dot_72)
    (sliceable ButterKnife_bar__minus_07_dot_51_bar__plus_71_dot_72)
    (objectType Curtains_bar__minus_77_dot_96_bar__plus_11_dot_52 CurtainsType)
    (inReceptacle Curtains_bar__minus_77_dot_96_bar__plus_11_dot_52 Shelf_bar__minus_30_dot_61_bar__minus_21_dot_32)
    (objectAtLocation Curtains_bar__minus_77_dot_96_bar__plus_11_dot_52 loc_bar_minus_0_bar_4)
    (pickupable Curtains_bar__minus_77_dot_96_bar__plus_11_dot_52)
    (cleanable Curtains_bar__minus_77_dot_96_bar__plus_11_dot_52)
    (coolable Curtains_bar__minus_77_dot_96_bar__plus_11_dot_52)
    (toggleable Curtains_bar__minus_77_dot_96_bar__plus_11_dot_52)
    (isClean Curtains_bar__minus_77_dot_96_bar__plus_11_dot_52)
    (isCool Curtains_bar__minus_77_dot_96_bar__plus_11_dot_52)
    (objectType FloorLamp_bar__minus_99_dot_43_bar__plus_09_dot_45 FloorLampType)
    (inReceptacle FloorLamp_bar__minus_99_dot_43_bar__plus_09_dot_45 Microwave_bar__minus_91_dot_25_bar__minus_81_dot_57)
    (objectAtLocation FloorLamp_bar__minus_99_dot_43_bar__plus_09_dot_45 loc_bar_3_bar_2)
    (pickupable FloorLamp_bar__minus_99_dot_43_bar__plus_09_dot_45)
    (sliceable FloorLamp_bar__minus_99_dot_43_bar__plus_09_dot_45)
    (isSliced FloorLamp_bar__minus_99_dot_43_bar__plus_09_dot_45)
    (objectType Bread_bar__plus_61_dot_34_bar__minus_09_dot_84 BreadType)
    (objectAtLocation Bread_bar__plus_61_dot_34_bar__minus_09_dot_84 loc_bar_minus_2_bar_4)
    (pickupable Bread_bar__plus_61_dot_34_bar__minus_09_dot_84)
    (coolable Bread_bar__plus_61_dot_34_bar__minus_09_dot_84)
    (sliceable Bread_bar__plus_61_dot_34_bar__minus_09_dot_84)
    (toggleable Bread_bar__plus_61_dot_34_bar__minus_09_dot_84)
    (inReceptacle DeskLamp_bar__minus_49_dot_14_bar__minus_63_dot_14 Microwave_bar__minus_91_dot_25_bar__minus_81_dot_57)
    (pickupable DeskLamp_bar__minus_49_dot_14_bar__minus_63_dot_14)
    (cleanable DeskLamp_bar__minus_49_dot_14_bar__minus_63_dot_14)
    (heatable DeskLamp_bar__minus_49_dot_14_bar__minus_63_dot_14)
    (sliceable DeskLamp_bar__minus_49_dot_14_bar__minus_63_dot_14)
    (isHot DeskLamp_bar__minus_49_dot_14_bar__minus_63_dot_14)
    (isSliced DeskLamp_bar__minus_49_dot_14_bar__minus_63_dot_14)
    (objectType Bowl_bar__minus_83_dot_91_bar__plus_76_dot_84 BowlType)
    (inReceptacle Bowl_bar__minus_83_dot_91_bar__plus_76_dot_84 Shelf_bar__minus_30_dot_61_bar__minus_21_dot_32)
    (objectAtLocation Bowl_bar__minus_83_dot_91_bar__plus_76_dot_84 loc_bar_3_bar_2)
    (pickupable Bowl_bar__minus_83_dot_91_bar__plus_76_dot_84)
    (cleanable Bowl_bar__minus_83_dot_91_bar__plus_76_dot_84)
    (toggleable Bowl_bar__minus_83_dot_91_bar__plus_76_dot_84)
    (isHot Bowl_bar__minus_83_dot_91_bar__plus_76_dot_84)
    (isReceptacleObject Bowl_bar__minus_83_dot_91_bar__plus_76_dot_84)
    (inReceptacleObject Cloth_bar__minus_10_dot_51_bar__minus_82_dot_60 Bowl_bar__minus_83_dot_91_bar__plus_76_dot_84)
    (inReceptacleObject Egg_bar__minus_94_dot_40_bar__plus_07_dot_68 Bowl_bar__minus_83_dot_91_bar__plus_76_dot_84)
    (inReceptacleObject ButterKnife_bar__minus_07_dot_51_bar__plus_71_dot_72 Bowl_bar__minus_83_dot_91_bar__plus_76_dot_84)
    (objectAtLocation Egg_bar__minus_94_dot_40_bar__plus_07_dot_68 loc_bar_minus_1_bar_5)
    (pickupable Egg_bar__minus_94_dot_40_bar__plus_07_dot_68)
    (heatable Egg_bar__minus_94_dot_40_bar__plus_07_dot_68)
    (sliceable Egg_bar__minus_94_dot_40_bar__plus_07_dot_68)
    (isSliced Egg_bar__minus_94_dot_40_bar__plus_07_dot_68)
    (objectType Box_bar__minus_16_dot_73_bar__plus_44_dot_12 BoxType)
    (inReceptacle Box_bar__minus_16_dot_73_bar__plus_44_dot_12 Microwave_bar__minus_91_dot_25_bar__minus_81_dot_57)
    (objectAtLocation Box_bar__minus_16_dot_73_bar__plus_44_dot_12 loc_bar_minus_1_bar_5)
    (pickupable Box_bar__minus_16_dot_73_bar__plus_44_dot_12)
    (heatable Box_bar__minus_16_dot_73_bar__plus_44_dot_12)
    (coolable Box_bar__minus_16_dot_73_bar__plus_44_dot_12)
    (isReceptacleObject Box_bar__minus_16_dot_73_bar__plus_44_dot_12))
(:goal (and (exists (?r - receptacle) (exists (?o - object) (and (inReceptacle ?o ?r) (objectType ?o ButterKnifeType) (receptacleType ?r FridgeType)))))))
